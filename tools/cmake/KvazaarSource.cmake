# SPDX-License-Identifier: MIT
# Finds the sources of kvazaar: a folder of the user's, else a tarball of a version that was tried,
# which tools/setup fetches, unpacked into the build folder. Sets REELPIPE_KVAZAAR_DIR and
# REELPIPE_KVAZAAR_VERSION; neither where there are no sources.
set(REELPIPE_KVAZAAR_SOURCE "" CACHE PATH
    "Unpacked kvazaar sources to use instead of the pinned tarball")
set(kvazaar_version 2.3.2) # codecs/kvazaar/ knows the private structures of this one
set(kvazaar_tarball ${REELPIPE_DEPS}/kvazaar_${kvazaar_version}.orig.tar.gz)
set(kvazaar_sha256 b95d2e20f2b0d8d7ed320055740be2e7a730abe28b153b5a788cfca371cc38b2)

unset(REELPIPE_KVAZAAR_DIR)
if(REELPIPE_KVAZAAR_SOURCE)
    set(REELPIPE_KVAZAAR_DIR ${REELPIPE_KVAZAAR_SOURCE})
elseif(EXISTS ${kvazaar_tarball})
    set(REELPIPE_KVAZAAR_DIR ${CMAKE_BINARY_DIR}/kvazaar/source)
    if(NOT EXISTS ${REELPIPE_KVAZAAR_DIR}/src/global.h)
        file(SHA256 ${kvazaar_tarball} found_sha256)
        if(NOT found_sha256 STREQUAL kvazaar_sha256)
            message(FATAL_ERROR "${kvazaar_tarball} is not the pinned one: its SHA-256 is "
                "${found_sha256}, expected ${kvazaar_sha256}")
        endif()
        set(unpacked ${CMAKE_BINARY_DIR}/kvazaar/unpacked)
        file(REMOVE_RECURSE ${unpacked})
        file(ARCHIVE_EXTRACT INPUT ${kvazaar_tarball} DESTINATION ${unpacked})
        file(GLOB top ${unpacked}/*)
        file(RENAME ${top} ${REELPIPE_KVAZAAR_DIR})
        file(REMOVE_RECURSE ${unpacked})
    endif()
endif()
if(DEFINED REELPIPE_KVAZAAR_DIR)
    if(NOT EXISTS ${REELPIPE_KVAZAAR_DIR}/src/encoderstate.c)
        message(FATAL_ERROR "${REELPIPE_KVAZAAR_DIR} holds no kvazaar sources")
    endif()
    file(STRINGS ${REELPIPE_KVAZAAR_DIR}/src/global.h version REGEX "^#define KVZ_VERSION " LIMIT_COUNT 1)
    string(REGEX REPLACE "^#define KVZ_VERSION ([0-9.]+).*" "\\1" REELPIPE_KVAZAAR_VERSION
        "${version}")
    if(NOT REELPIPE_KVAZAAR_VERSION STREQUAL kvazaar_version)
        message(FATAL_ERROR "${REELPIPE_KVAZAAR_DIR} is kvazaar ${REELPIPE_KVAZAAR_VERSION}, and "
            "codecs/kvazaar/ knows ${kvazaar_version} alone")
    endif()
    set(kvazaar_checksum ${kvazaar_sha256})
    if(REELPIPE_KVAZAAR_SOURCE)
        set(kvazaar_checksum -)
    endif()
    set_property(GLOBAL APPEND PROPERTY REELPIPE_MATERIALS
        contains=kvazaar=${REELPIPE_KVAZAAR_VERSION}=BSD-3-Clause=${kvazaar_checksum})
endif()
