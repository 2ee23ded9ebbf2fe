# SPDX-License-Identifier: MIT
# The sound card: against a real sound server without a card. By hand: tests/sound/NAME AULA PLAY_TEST SOUND_TOOL
add_executable(play_test sound/play_test.c)
target_link_libraries(play_test PRIVATE aula_internal)

# libjack's headers come with PortAudio's on Debian and Ubuntu.
pkg_check_modules(JACK IMPORTED_TARGET jack)
if(JACK_FOUND)
  add_executable(sound_tool sound/sound_tool.c)
  target_link_libraries(sound_tool PRIVATE aula_options aula_base_headers PkgConfig::JACK PkgConfig::SNDFILE m)
  add_executable(sound_room sound/sound_room.c)
  target_link_libraries(sound_room PRIVATE aula_options aula_base_headers PkgConfig::JACK PkgConfig::SNDFILE m)
  foreach(script IN ITEMS play load death preview keys interrupt measure)
    aula_script(sound-${script} sound 120 sound/${script} $<TARGET_FILE:aula> $<TARGET_FILE:play_test> $<TARGET_FILE:sound_tool> $<TARGET_FILE:look> $<TARGET_FILE:sound_room>)
    set_tests_properties(sound-${script} PROPERTIES RUN_SERIAL TRUE) # what is measured is time
  endforeach()
else()
  message(STATUS "sound tests: left out, libjack's headers were not found")
endif()
