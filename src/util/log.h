/* SPDX-License-Identifier: MIT */
/* Messages on standard error, by level; REELPIPE_LOG=error|warning|info|debug (default: none but
 * warning when a build has asserts).
 */
#ifndef RP_UTIL_LOG_H
#define RP_UTIL_LOG_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>

enum rp_log_level {
    RP_LOG_NONE,
    RP_LOG_ERROR,
    RP_LOG_WARNING,
    RP_LOG_INFO,
    RP_LOG_DEBUG,
};

bool rp_log_enabled(enum rp_log_level level);
void rp_log(enum rp_log_level level, const char *format, ...) RP_PRINTF(2, 3);

/* Where an error is born: logs place and code, tells the application's messengers, and returns
 * result. obj (an object, or NULL) may be any pointer that starts with struct rp_object.
 * Implemented where objects are known, in object/debug_messenger.c. */
#define rp_error(obj, result) rp_error_at((obj), (result), __FILE__, __LINE__, NULL)
#define rp_errorf(obj, result, ...) rp_error_at((obj), (result), __FILE__, __LINE__, __VA_ARGS__)

VkResult rp_error_at(const void *obj, VkResult result, const char *file, int line,
                     const char *format, ...) RP_PRINTF(5, 6);

#endif
