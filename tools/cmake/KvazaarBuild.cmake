# SPDX-License-Identifier: MIT
# Builds kvazaar without the files that codecs/kvazaar/ replaces, once for each bit depth. Targets:
# kvazaar_core, kvazaar10_core (static, hidden). Sets KVAZAAR_OPTIONS and KVAZAAR_INCLUDES, which
# any file that includes kvazaar's sources must be compiled with, as with KVZ_BIT_DEPTH and, of 10
# bits, KVAZAAR10_NAMES in front of all.
set(kvazaar_src ${REELPIPE_KVAZAAR_DIR}/src)
set(KVAZAAR_INCLUDES ${kvazaar_src} ${kvazaar_src}/extras ${kvazaar_src}/strategies)

# Its assertions would end the application's process: no build of ours has them. Its memory is taken
# from heap.c, which can fail without kvazaar's knowing, and what it tells the user goes nowhere.
set(KVAZAAR_OPTIONS -O3 -w -fno-strict-aliasing -DNDEBUG
    -Dmalloc=rp_kvazaar_malloc -Dcalloc=rp_kvazaar_calloc -Drealloc=rp_kvazaar_realloc
    -Dfree=rp_kvazaar_free
    -Dstrdup=rp_kvazaar_strdup -Dfprintf=rp_kvazaar_fprintf -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
if(REELPIPE_SANITIZE)
    # What of kvazaar a fuzzer reaches is not what it looks for, and it shifts negative numbers.
    list(APPEND KVAZAAR_OPTIONS -fno-sanitize=undefined)
    string(REGEX REPLACE "(fuzzer-no-link|undefined),?" "" kvazaar_sanitize "${REELPIPE_SANITIZE}")
    string(REGEX REPLACE ",$" "" kvazaar_sanitize "${kvazaar_sanitize}")
    if(kvazaar_sanitize)
        list(APPEND KVAZAAR_OPTIONS -fsanitize=${kvazaar_sanitize} -fno-omit-frame-pointer)
    endif()
endif()

file(GLOB kvazaar_sources ${kvazaar_src}/*.c ${kvazaar_src}/strategies/*.c
    ${kvazaar_src}/strategies/*/*.c)
list(FILTER kvazaar_sources EXCLUDE REGEX
    "/(encmain|cli|yuv_io|kvazaar|input_frame_buffer|encoderstate|inter|filter|rdo|sao|search|search_inter)\\.c$")
list(APPEND kvazaar_sources ${kvazaar_src}/extras/libmd5.c)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    # Which of them are used is chosen when the process runs.
    file(GLOB avx2 ${kvazaar_src}/strategies/avx2/*.c)
    file(GLOB sse41 ${kvazaar_src}/strategies/sse41/*.c)
    set_source_files_properties(${avx2} PROPERTIES
        COMPILE_OPTIONS "-mavx2;-mbmi;-mbmi2;-mpopcnt;-mlzcnt")
    set_source_files_properties(${sse41} PROPERTIES COMPILE_OPTIONS -msse4.1)
endif()

# Both depths are in one library: of 10 bits kvazaar's names, and ours around it, are others.
set(KVAZAAR10_NAMES ${CMAKE_BINARY_DIR}/generated/kvazaar10_names.h)
file(GLOB_RECURSE named ${kvazaar_src}/*.c ${kvazaar_src}/*.h)
file(GLOB named_ours CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/codecs/kvazaar/*.[ch])
list(APPEND named ${named_ours})
add_custom_command(OUTPUT ${KVAZAAR10_NAMES}
    COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/tools/gen/kvazaar_names.py
        ${KVAZAAR10_NAMES} ${named}
    DEPENDS ${CMAKE_SOURCE_DIR}/tools/gen/kvazaar_names.py ${named}
    VERBATIM)
add_custom_target(kvazaar10_names DEPENDS ${KVAZAAR10_NAMES})

function(kvazaar_set_depth target bit_depth)
    target_include_directories(${target} SYSTEM PRIVATE ${KVAZAAR_INCLUDES})
    target_compile_definitions(${target} PRIVATE KVZ_BIT_DEPTH=${bit_depth})
    if(bit_depth EQUAL 10)
        add_dependencies(${target} kvazaar10_names)
        target_compile_options(${target} PRIVATE "SHELL:-include ${KVAZAAR10_NAMES}")
    endif()
endfunction()

foreach(core kvazaar_core kvazaar10_core)
    add_library(${core} STATIC ${kvazaar_sources})
    set_target_properties(${core} PROPERTIES C_EXTENSIONS ON C_STANDARD 11)
    target_compile_options(${core} PRIVATE ${KVAZAAR_OPTIONS})
endforeach()
kvazaar_set_depth(kvazaar_core 8)
kvazaar_set_depth(kvazaar10_core 10)
