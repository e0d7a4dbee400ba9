/* SPDX-License-Identifier: MIT */
/* One line a message, written with one call so that threads do not mix.
 */
#include "util/log.h"

#include "platform/environment.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static int
log_level_from_environment(void)
{
    static const char *const names[] = {"none", "error", "warning", "info", "debug"};
    const char *value = rp_environment_get("REELPIPE_LOG");
    for (size_t i = 0; value && i < RP_ARRAY_SIZE(names); i++)
        if (strcmp(value, names[i]) == 0)
            return (int)i;
    return RP_LOG_NONE;
}

bool
rp_log_enabled(enum rp_log_level level)
{
    /* The one cached value of the process; every thread computes the same. */
    static atomic_int cached = -1;
    int enabled = atomic_load_explicit(&cached, memory_order_relaxed);
    if (enabled < 0) {
        enabled = log_level_from_environment();
        atomic_store_explicit(&cached, enabled, memory_order_relaxed);
    }
    return (int)level <= enabled;
}

static void
log_line(const char *format, va_list args)
{
    char line[1024];
    int used = snprintf(line, sizeof(line), "reelpipe: ");
    if (used < 0)
        return;
    const int more = vsnprintf(line + used, sizeof(line) - (size_t)used - 1, format, args);
    used = RP_MIN(used + RP_MAX(more, 0), (int)sizeof(line) - 2);
    line[used] = '\n';
    fwrite(line, 1, (size_t)used + 1, stderr);
}

void
rp_log(enum rp_log_level level, const char *format, ...)
{
    if (!rp_log_enabled(level))
        return;

    va_list args;
    va_start(args, format);
    log_line(format, args);
    va_end(args);
}
