# SPDX-License-Identifier: MIT
# Finds the sources of libaom: a folder of the user's, else a tarball of a version that was tried,
# which tools/setup fetches, unpacked into the build folder. Sets REELPIPE_AOM_DIR and
# REELPIPE_AOM_VERSION; neither where there are no sources.
set(REELPIPE_AOM_SOURCE "" CACHE PATH "Unpacked libaom sources to use instead of the pinned tarball")
set(aom_version 3.12.1) # codecs/aom/ knows the private structures of this one
set(aom_tarball ${REELPIPE_DEPS}/aom_${aom_version}.orig.tar.gz)
set(aom_sha256 40c929a41b2a59c24319a699c358351422829b3ae646de31b18cbabed0191962)

unset(REELPIPE_AOM_DIR)
if(REELPIPE_AOM_SOURCE)
    set(REELPIPE_AOM_DIR ${REELPIPE_AOM_SOURCE})
elseif(EXISTS ${aom_tarball})
    set(REELPIPE_AOM_DIR ${CMAKE_BINARY_DIR}/aom/source)
    if(NOT EXISTS ${REELPIPE_AOM_DIR}/CMakeLists.txt)
        file(SHA256 ${aom_tarball} found_sha256)
        if(NOT found_sha256 STREQUAL aom_sha256)
            message(FATAL_ERROR "${aom_tarball} is not the pinned one: its SHA-256 is "
                "${found_sha256}, expected ${aom_sha256}")
        endif()
        set(unpacked ${CMAKE_BINARY_DIR}/aom/unpacked)
        file(REMOVE_RECURSE ${unpacked})
        file(ARCHIVE_EXTRACT INPUT ${aom_tarball} DESTINATION ${unpacked})
        file(GLOB top ${unpacked}/*)
        file(RENAME ${top} ${REELPIPE_AOM_DIR})
        file(REMOVE_RECURSE ${unpacked})
    endif()
endif()
if(DEFINED REELPIPE_AOM_DIR)
    if(NOT EXISTS ${REELPIPE_AOM_DIR}/av1/encoder/encoder.c)
        message(FATAL_ERROR "${REELPIPE_AOM_DIR} holds no libaom sources")
    endif()
    file(STRINGS ${REELPIPE_AOM_DIR}/CHANGELOG version REGEX "^20[0-9-]+ v[0-9.]+$" LIMIT_COUNT 1)
    string(REGEX REPLACE "^.* v" "" REELPIPE_AOM_VERSION "${version}")
    if(NOT REELPIPE_AOM_VERSION STREQUAL aom_version)
        message(FATAL_ERROR "${REELPIPE_AOM_DIR} is libaom ${REELPIPE_AOM_VERSION}, and codecs/aom/ "
            "knows ${aom_version} alone")
    endif()
    set(aom_checksum ${aom_sha256})
    if(REELPIPE_AOM_SOURCE)
        set(aom_checksum -)
    endif()
    set_property(GLOBAL APPEND PROPERTY REELPIPE_MATERIALS
        contains=libaom=${REELPIPE_AOM_VERSION}=BSD-2-Clause=${aom_checksum})
endif()
