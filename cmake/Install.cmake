# SPDX-License-Identifier: MIT
install(TARGETS aula RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS libaula EXPORT aulaTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  PUBLIC_HEADER DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(AULA_HAVE_MPI)
  install(TARGETS aula_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/aula)
endif()
install(DIRECTORY rooms DESTINATION ${CMAKE_INSTALL_DATADIR}/aula FILES_MATCHING
  PATTERN "*.cfg" PATTERN "*.csv" PATTERN "*.mid" PATTERN "*.obj" PATTERN "*.mtl" PATTERN "README.md")
install(DIRECTORY share/plans DESTINATION ${CMAKE_INSTALL_DATADIR}/aula FILES_MATCHING PATTERN "*.cfg")
install(DIRECTORY share/sounds DESTINATION ${CMAKE_INSTALL_DATADIR}/aula FILES_MATCHING PATTERN "*.flac")
install(DIRECTORY share/directivities DESTINATION ${CMAKE_INSTALL_DATADIR}/aula FILES_MATCHING PATTERN "*.sofa")
# So that a room file is opened from a desktop, and a software centre knows the program.
install(FILES packaging/desktop/aula.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES packaging/desktop/aula.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES packaging/desktop/aula-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME aula.xml)
install(FILES packaging/desktop/aula.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES docs/aula.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
# Where each shell looks by itself; as the program that was built makes them.
foreach(shell IN ITEMS bash zsh fish)
  set(script ${PROJECT_BINARY_DIR}/completion/aula.${shell})
  add_custom_command(OUTPUT ${script} COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completion
    COMMAND ${CMAKE_COMMAND} -E env AULA_DATA=${PROJECT_SOURCE_DIR} $<TARGET_FILE:aula> completion ${shell} > ${script}
    DEPENDS aula VERBATIM)
  list(APPEND completion_scripts ${script})
endforeach()
add_custom_target(completion ALL DEPENDS ${completion_scripts})
install(FILES ${PROJECT_BINARY_DIR}/completion/aula.bash RENAME aula OPTIONAL
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${PROJECT_BINARY_DIR}/completion/aula.zsh RENAME _aula OPTIONAL
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${PROJECT_BINARY_DIR}/completion/aula.fish OPTIONAL DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.ogg")
file(RELATIVE_PATH AULA_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/aula.pc.in aula.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/aula.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
# find_package(aula) gives the target aula::aula. Until 1.0 a program needs a library of its own minor version.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/aula)
set_target_properties(libaula PROPERTIES EXPORT_NAME aula)
install(EXPORT aulaTargets NAMESPACE aula:: DESTINATION ${package})
configure_package_config_file(cmake/aulaConfig.cmake.in aulaConfig.cmake INSTALL_DESTINATION ${package}
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/aulaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/aulaConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/aulaConfigVersion.cmake DESTINATION ${package})
