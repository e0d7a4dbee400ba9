# SPDX-License-Identifier: MIT
# Finds Vulkan headers and registry (vk.xml, video.xml) of one version, new enough: those that
# tools/setup unpacked, else the machine's.
# Sets REELPIPE_VULKAN_INCLUDE and REELPIPE_VULKAN_REGISTRY.
set(REELPIPE_VULKAN_MIN 350) # VK_HEADER_VERSION of 1.4

foreach(prefix ${REELPIPE_DEPS}/vulkan/usr /usr/local /usr)
    set(core ${prefix}/include/vulkan/vulkan_core.h)
    if(EXISTS ${core} AND EXISTS ${prefix}/share/vulkan/registry/video.xml)
        file(STRINGS ${core} version REGEX "^#define VK_HEADER_VERSION [0-9]+")
        string(REGEX MATCH "[0-9]+" version "${version}")
        if(version GREATER_EQUAL REELPIPE_VULKAN_MIN)
            set(REELPIPE_VULKAN_INCLUDE ${prefix}/include)
            set(REELPIPE_VULKAN_REGISTRY ${prefix}/share/vulkan/registry)
            message(STATUS "Vulkan headers 1.4.${version} in ${prefix}")
            break()
        endif()
    endif()
endforeach()
if(NOT REELPIPE_VULKAN_INCLUDE)
    message(FATAL_ERROR "Vulkan headers and registry 1.4.${REELPIPE_VULKAN_MIN} or later are "
        "missing: run tools/setup, which unpacks them into .deps/")
endif()
