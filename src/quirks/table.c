/* SPDX-License-Identifier: MIT */
/* Rows go by the name of the engine: nothing that an application does tells its faults in time.
 */
#include "quirks/table.h"

#include "platform/environment.h"

#include <vulkan/vulkan_core.h>

#include <stddef.h>
#include <string.h>

struct quirk_row {
    const char *engine_name;
    uint32_t first_major; /* of engineVersion; both included */
    uint32_t last_major;
    uint32_t flags;
    const char *until; /* when the row may be deleted, and with its last row the code of a flag */
};

static const struct quirk_row rows[] = {
    {
        /* FFmpeg 6.1 to 8: the engine's version is libavutil's. */
        .engine_name = "libavutil",
        .first_major = 0,
        .last_major = 60,
        .flags = RP_QUIRK_UNORDERED_DECODE_THREADS,
        .until = "no supported distribution ships an FFmpeg before 9, which guards its decoder",
    },
    {
        /* FFmpeg 8 and 9: the workgroups that prores_ks_vulkan shuffles in are as large as the
         * largest subgroup, and it does not ask for that size. */
        .engine_name = "libavutil",
        .first_major = 60,
        .last_major = 61,
        .flags = RP_QUIRK_ASSUMES_LARGEST_SUBGROUP,
        .until = "FFmpeg requires the subgroup size that prores_ks_estimate_slice.comp takes",
    },
};

uint32_t
rp_quirks_find(const char *engine_name, uint32_t engine_version)
{
    const char *setting = rp_environment_get("REELPIPE_QUIRKS");
    if (!engine_name || (setting && strcmp(setting, "0") == 0))
        return 0;
    uint32_t flags = 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const uint32_t major = VK_VERSION_MAJOR(engine_version);
        if (strcmp(rows[i].engine_name, engine_name) == 0 && major >= rows[i].first_major &&
            major <= rows[i].last_major)
            flags |= rows[i].flags;
    }
    return flags;
}
