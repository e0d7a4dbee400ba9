# SPDX-License-Identifier: MIT
# Finds the sources of x264: a folder of the user's, else the one pinned tarball that tools/setup
# fetches, unpacked into the build folder. Sets REELPIPE_X264_DIR.
set(REELPIPE_X264_SOURCE "" CACHE PATH "Unpacked x264 sources to use instead of the pinned tarball")
set(REELPIPE_X264_VERSION 0.164.3095)
set(x264_tarball ${REELPIPE_DEPS}/x264_0.164.3095+gitbaee400.orig.tar.gz)
set(x264_sha256 8b237e94b08c196a1da22f2f25875f10be4cff3648df4eeff21e00da8f683fc2)

if(REELPIPE_X264_SOURCE)
    set(REELPIPE_X264_DIR ${REELPIPE_X264_SOURCE})
else()
    set(REELPIPE_X264_DIR ${CMAKE_BINARY_DIR}/x264/source)
    if(NOT EXISTS ${x264_tarball})
        message(FATAL_ERROR "${x264_tarball} is missing: run tools/setup, give "
            "-DREELPIPE_X264_SOURCE=<unpacked x264>, or build without encode: -DREELPIPE_X264=OFF")
    endif()
    if(NOT EXISTS ${REELPIPE_X264_DIR}/configure)
        file(SHA256 ${x264_tarball} found_sha256)
        if(NOT found_sha256 STREQUAL x264_sha256)
            message(FATAL_ERROR "${x264_tarball} is not the pinned one: its SHA-256 is "
                "${found_sha256}, expected ${x264_sha256}")
        endif()
        set(unpacked ${CMAKE_BINARY_DIR}/x264/unpacked)
        file(REMOVE_RECURSE ${unpacked})
        file(ARCHIVE_EXTRACT INPUT ${x264_tarball} DESTINATION ${unpacked})
        file(GLOB top ${unpacked}/*)
        file(RENAME ${top} ${REELPIPE_X264_DIR})
        file(REMOVE_RECURSE ${unpacked})
    endif()
endif()
if(NOT EXISTS ${REELPIPE_X264_DIR}/encoder/encoder.c)
    message(FATAL_ERROR "${REELPIPE_X264_DIR} holds no x264 sources")
endif()
set_property(GLOBAL APPEND PROPERTY REELPIPE_MATERIALS
    contains=x264=${REELPIPE_X264_VERSION}=GPL-2.0-or-later=${x264_sha256})
