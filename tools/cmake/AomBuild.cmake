# SPDX-License-Identifier: MIT
# Configures libaom's real-time encoder once in the build folder, and builds it. Target: aom_core
# (static, hidden). Sets aom_build, where its generated headers are.
include(ProcessorCount)
set(aom_build ${CMAKE_BINARY_DIR}/aom/build)
set(aom_options -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_C_VISIBILITY_PRESET=hidden
    -DBUILD_SHARED_LIBS=OFF -DCONFIG_PIC=1 -DCONFIG_AV1_DECODER=0 -DCONFIG_REALTIME_ONLY=1
    -DCONFIG_DENOISE=0 -DCONFIG_LIBYUV=0 -DCONFIG_WEBM_IO=0 -DCONFIG_SVT_AV1=0 -DENABLE_NASM=1
    -DENABLE_DOCS=0 -DENABLE_EXAMPLES=0 -DENABLE_TESTS=0 -DENABLE_TOOLS=0)
if(CMAKE_TOOLCHAIN_FILE)
    # A preset's is relative to our sources, which are not libaom's.
    get_filename_component(aom_toolchain ${CMAKE_TOOLCHAIN_FILE} ABSOLUTE
        BASE_DIR ${CMAKE_SOURCE_DIR})
    list(APPEND aom_options -DCMAKE_TOOLCHAIN_FILE=${aom_toolchain})
endif()
# Its private structures have members more without NDEBUG, and its assertions would end the
# application's process: no build of ours has them.
set(aom_cflags "-w -DNDEBUG")
if(WIN32)
    string(APPEND aom_cflags " -Wa,-muse-unaligned-vector-move") # as all else (CMakeLists.txt)
endif()
if(REELPIPE_SANITIZE)
    # Sanitizers see only C, and what of libaom a fuzzer reaches is not what it looks for.
    # Unrolled with every access checked, its sums of differences would take minutes to compile.
    list(APPEND aom_options -DAOM_TARGET_CPU=generic
        "-DCMAKE_C_FLAGS_RELEASE=-O2 -fno-unroll-loops -DNDEBUG")
    string(REGEX REPLACE "(fuzzer-no-link|undefined),?" "" aom_sanitize "${REELPIPE_SANITIZE}")
    string(REGEX REPLACE ",$" "" aom_sanitize "${aom_sanitize}")
    if(aom_sanitize)
        string(APPEND aom_cflags " -fsanitize=${aom_sanitize} -fno-omit-frame-pointer")
    endif()
endif()

set(settings "${REELPIPE_AOM_DIR};${CMAKE_GENERATOR};${aom_options};${aom_cflags}")
set(settings_file ${aom_build}/reelpipe-settings)
set(settings_before "")
if(EXISTS ${settings_file})
    file(READ ${settings_file} settings_before)
endif()
if(NOT settings STREQUAL settings_before)
    message(STATUS "Configuring libaom ${REELPIPE_AOM_VERSION}")
    file(REMOVE_RECURSE ${aom_build})
    file(MAKE_DIRECTORY ${aom_build})
    execute_process(
        COMMAND ${CMAKE_COMMAND} -S ${REELPIPE_AOM_DIR} -B ${aom_build} -G ${CMAKE_GENERATOR}
            ${aom_options} -DCMAKE_C_FLAGS=${aom_cflags}
        OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "libaom cannot be configured (are nasm, perl and g++ installed?):\n"
            "${output}")
    endif()
    file(WRITE ${settings_file} "${settings}")
endif()

# An archive that was built with assertions would not be laid out as our files think it is.
set(aom_library ${CMAKE_BINARY_DIR}/aom/libaom_core.a)
ProcessorCount(jobs)
# Files of assembly leave their paths, which would differ in another folder.
set(aom_strip ${CMAKE_STRIP} --strip-unneeded ${aom_library})
if(REELPIPE_SANITIZE)
    set(aom_strip ${CMAKE_COMMAND} -E true)
endif()
add_custom_command(OUTPUT ${aom_library}
    COMMAND ${CMAKE_COMMAND} --build ${aom_build} --target aom --parallel ${jobs}
    COMMAND sh -c "! ${CMAKE_NM} -u ${aom_build}/libaom.a | grep -qw -e __assert_fail -e _assert"
    COMMAND ${CMAKE_COMMAND} -E copy ${aom_build}/libaom.a ${aom_library}
    COMMAND ${aom_strip}
    DEPENDS ${settings_file}
    COMMENT "Building libaom ${REELPIPE_AOM_VERSION}"
    VERBATIM)
add_custom_target(aom_core_build DEPENDS ${aom_library})
add_library(aom_core STATIC IMPORTED GLOBAL)
set_target_properties(aom_core PROPERTIES IMPORTED_LOCATION ${aom_library})
add_dependencies(aom_core aom_core_build)
