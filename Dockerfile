# SPDX-License-Identifier: MIT
# aula in a container, with the engine for processors or, with ENGINE=cuda, for NVIDIA GPUs as well:
#   docker build -t aula .
#   docker build -t aula-cuda --build-arg ENGINE=cuda .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/rooms" aula render studio -o studio.wav
#   docker run --rm --gpus all --user "$(id -u):$(id -g)" -v "$PWD:/rooms" aula-cuda render studio -o studio.wav
ARG ENGINE=cpu

FROM debian:12-slim AS build-cpu
ENV AULA_CUDA=OFF

FROM nvidia/cuda:13.0.0-devel-ubuntu24.04 AS build-cuda
ENV AULA_CUDA=ON

FROM build-${ENGINE} AS build
WORKDIR /source
COPY tools/packages tools/packages
# What stands above the line ==== is what the build needs.
RUN apt-get update \
    && sed -e '/^# ====/,$d' -e 's/#.*//' tools/packages | xargs apt-get install -y --no-install-recommends \
    && rm -rf /var/lib/apt/lists/*
COPY . .
RUN cmake --preset release -DAULA_TESTS=OFF -DAULA_FIND_SOURCE=OFF -DAULA_PYTHON=OFF -DAULA_CUDA="$AULA_CUDA" \
    && cmake --build --preset release --parallel "$(nproc)" \
    && DESTDIR=/installed cmake --install build/release --strip
# The packages of the libraries that the program takes.
RUN ldd /installed/usr/local/bin/aula | awk '$2 == "=>" { print $3 }' | xargs realpath \
    | while read -r library; do \
        dpkg-query --search "$library" 2>/dev/null || dpkg-query --search "${library#/usr}"; \
    done | sed 's/:.*//' | sort -u >/installed/usr/local/share/aula/packages

FROM debian:12-slim AS run-cpu

FROM ubuntu:24.04 AS run-cuda
ENV NVIDIA_VISIBLE_DEVICES=all
ENV NVIDIA_DRIVER_CAPABILITIES=compute,utility

FROM run-${ENGINE}
COPY --from=build /installed/ /
RUN apt-get update \
    && xargs apt-get install -y --no-install-recommends ffmpeg </usr/local/share/aula/packages \
    && rm -rf /var/lib/apt/lists/* \
    && ldconfig
WORKDIR /rooms
ENTRYPOINT ["aula"]
CMD ["--help"]
