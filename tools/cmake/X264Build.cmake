# SPDX-License-Identifier: MIT
# Configures x264 once in the build folder and builds it, without the objects that codecs/x264/
# replaces. Target: x264_core (static, hidden). Sets X264_CFLAGS, the flags that any file which
# includes x264's sources must be compiled with.
include(ProcessorCount)
set(x264_build ${CMAKE_BINARY_DIR}/x264/build)

# Assertions of x264 would end the application's process: only a debug build of ours keeps them.
set(x264_extra_cflags "-w -DNDEBUG")
if(CMAKE_BUILD_TYPE STREQUAL Debug)
    set(x264_extra_cflags "-w -g")
endif()
string(APPEND x264_extra_cflags " -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=")
set(x264_options --enable-static --disable-cli --bit-depth=8 --chroma-format=420
    --disable-interlaced --disable-opencl --enable-pic)
if(REELPIPE_SANITIZE)
    # Sanitizers see only C. x264 shifts negative numbers and reads words at any address on
    # purpose.
    list(APPEND x264_options --disable-asm)
    # What of x264 a fuzzer reaches is not what it looks for, and would cost most of its time.
    string(REPLACE "fuzzer-no-link," "" x264_sanitize "${REELPIPE_SANITIZE}")
    string(APPEND x264_extra_cflags " -fsanitize=${x264_sanitize}")
    string(APPEND x264_extra_cflags " -fno-sanitize=shift,alignment -fno-omit-frame-pointer")
    if(REELPIPE_SANITIZE MATCHES address) # which sees what these two would, in less code
        string(APPEND x264_extra_cflags " -fno-sanitize=null,object-size")
    endif()
endif()

set(x264_tools CC=${CMAKE_C_COMPILER})
set(x264_system linux-gnu)
if(WIN32)
    set(x264_system w64-mingw32)
    list(APPEND x264_options --disable-win32thread) # its threads are those of the driver
    string(APPEND x264_extra_cflags " -Wa,-muse-unaligned-vector-move")
endif()
if(CMAKE_CROSSCOMPILING)
    list(APPEND x264_options --host=${CMAKE_SYSTEM_PROCESSOR}-${x264_system})
    list(APPEND x264_tools AR=${CMAKE_AR} RANLIB=${CMAKE_RANLIB} STRIP=${CMAKE_STRIP})
endif()

set(settings "${REELPIPE_X264_DIR};${x264_tools};${x264_options};${x264_extra_cflags}")
set(settings_file ${x264_build}/reelpipe-settings)
set(settings_before "")
if(EXISTS ${settings_file} AND EXISTS ${x264_build}/config.mak)
    file(READ ${settings_file} settings_before)
endif()
if(NOT settings STREQUAL settings_before)
    message(STATUS "Configuring x264 ${REELPIPE_X264_VERSION}")
    file(REMOVE_RECURSE ${x264_build})
    file(MAKE_DIRECTORY ${x264_build})
    execute_process(
        COMMAND ${CMAKE_COMMAND} -E env ${x264_tools} ${REELPIPE_X264_DIR}/configure
            ${x264_options} --extra-cflags=${x264_extra_cflags}
        WORKING_DIRECTORY ${x264_build}
        OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "x264 cannot be configured (is nasm installed?):\n${output}")
    endif()
    file(WRITE ${settings_file} "${settings}")
endif()

# The flags as x264's own makefile has them, but for -I, the C standard and warnings.
file(STRINGS ${x264_build}/config.mak cflags REGEX "^CFLAGS=")
string(REGEX REPLACE "^CFLAGS=" "" cflags "${cflags}")
separate_arguments(X264_CFLAGS UNIX_COMMAND "${cflags}")
list(FILTER X264_CFLAGS EXCLUDE REGEX "^(-I|-W|-w$|-std=)")

set(x264_library ${CMAKE_BINARY_DIR}/x264/libx264_core.a)
ProcessorCount(jobs)
add_custom_command(OUTPUT ${x264_library}
    COMMAND make --silent -j${jobs} -C ${x264_build} lib-static
    COMMAND ${CMAKE_COMMAND} -E copy ${x264_build}/libx264.a ${x264_library}
    COMMAND ${CMAKE_AR} d ${x264_library} api.o base.o encoder-8.o ratecontrol-8.o
            analyse-8.o deblock-8.o
    COMMAND ${CMAKE_RANLIB} ${x264_library}
    DEPENDS ${settings_file}
    COMMENT "Building x264 ${REELPIPE_X264_VERSION}"
    VERBATIM)
add_custom_target(x264_core_build DEPENDS ${x264_library})
add_library(x264_core STATIC IMPORTED)
set_target_properties(x264_core PROPERTIES IMPORTED_LOCATION ${x264_library})
add_dependencies(x264_core x264_core_build)
