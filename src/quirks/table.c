/* SPDX-License-Identifier: MIT */
/* Rows go by names, of the engine or, where it has none, of the program: nothing that an
 * application does tells its faults in time.
 */
#include "quirks/table.h"

#include "platform/environment.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct quirk_row {
    const char *program;     /* the application's name without folders; NULL: by the engine */
    const char *engine_name; /* NULL: by the program */
    uint32_t first_major;    /* of engineVersion; both included */
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
    {
        /* Vulkan-Video-Samples (0.5 is the last one seen): pictures of 10 bits are H.265's Main,
         * whatever --profile says, and their SPS is of Main 10. The name is argv[0]. */
        .program = "vk-video-enc-test",
        .flags = RP_QUIRK_NAMES_ONE_PROFILE,
        .until = "EncoderConfig::InitVideoProfile() takes the profile that was asked for",
    },
    {
        .program = "vulkan-video-enc-test",
        .flags = RP_QUIRK_NAMES_ONE_PROFILE,
        .until = "the row above goes",
    },
};

static bool
is_engine(const struct quirk_row *row, const VkApplicationInfo *app)
{
    const uint32_t major = VK_VERSION_MAJOR(app->engineVersion);
    return row->engine_name && app->pEngineName &&
           strcmp(row->engine_name, app->pEngineName) == 0 && major >= row->first_major &&
           major <= row->last_major;
}

static bool
is_program(const struct quirk_row *row, const VkApplicationInfo *app)
{
    if (!row->program || !app->pApplicationName)
        return false;
    const char *slash = strrchr(app->pApplicationName, '/');
    return strcmp(row->program, slash ? slash + 1 : app->pApplicationName) == 0;
}

uint32_t
rp_quirks_find(const VkApplicationInfo *app)
{
    const char *setting = rp_environment_get("REELPIPE_QUIRKS");
    if (!app || (setting && strcmp(setting, "0") == 0))
        return 0;
    uint32_t flags = 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (is_engine(&rows[i], app) || is_program(&rows[i], app))
            flags |= rows[i].flags;
    return flags;
}
