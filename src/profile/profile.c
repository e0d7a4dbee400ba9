/* SPDX-License-Identifier: MIT */
/* The folder's beginning and end.
 */
#include "profile/profile.h"

#include "object/device.h"
#include "platform/environment.h"
#include "platform/file.h"
#include "util/alloc.h"

#include <stdio.h>
#include <string.h>

/* The user has asked for a profile: what becomes of it is said whatever REELPIPE_LOG is. */
static void
say(const char *folder, const char *what)
{
    fprintf(stderr, "reelpipe: profile %s: %s\n", folder, what);
}

static void
profile_finish(struct rp_profile *profile)
{
    struct rp_profile_device *p = rp_profile_device_of(profile);

    if (p->is_short)
        say(p->folder, "memory was short: it is not complete");
    if (!rp_profile_write(p))
        say(p->folder, "no room for it");
    rp_file_close(p->file);
    rp_profile_pipelines_finish(p);
    rp_recording_finish(&p->recording);
    pthread_mutex_destroy(&p->mutex);
    rp_free(NULL, p);
}

static const struct rp_profile_ops profile_ops = {
    .pipeline_created = rp_profile_pipeline_created,
    .finish = profile_finish,
};

void
rp_profile_create(struct rp_device *dev, struct rp_profile **out)
{
    const char *wanted = rp_environment_get("REELPIPE_PROFILE");
    *out = NULL;
    if (!wanted || !*wanted)
        return;
    struct rp_profile_device *p =
        rp_zalloc(NULL, sizeof(*p), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!p) {
        say(wanted, "no memory");
        return;
    }
    p->file = rp_folder_create(wanted, "profile.json", p->folder, sizeof(p->folder));
    if (p->file < 0) {
        say(wanted, "the folder cannot be made");
        rp_free(NULL, p);
        return;
    }
    p->base.ops = &profile_ops;
    p->dev = dev;
    p->last = &p->first;
    const char *what = rp_environment_get("REELPIPE_PROFILE_OPERATIONS");
    p->counts_operations = what && strcmp(what, "1") == 0;
    what = rp_environment_get("REELPIPE_PROFILE_ACCESSES");
    p->records_accesses = what && strcmp(what, "1") == 0 && !p->counts_operations;
    what = rp_environment_get("REELPIPE_PROFILE_RACES");
    p->finds_races = !what || strcmp(what, "0") != 0;
    what = rp_environment_get("REELPIPE_PROFILE_REPACK");
    p->repacks = what && strcmp(what, "1") == 0 && p->records_accesses;
    rp_recording_init(&p->recording);
    pthread_mutex_init(&p->mutex, NULL);
    *out = &p->base;
}
