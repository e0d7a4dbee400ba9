/* SPDX-License-Identifier: MIT */
/* The folder's beginning and end.
 */
#include "capture/capture.h"

#include "capture/objects.h"
#include "platform/environment.h"
#include "platform/file.h"
#include "platform/process.h"
#include "util/alloc.h"
#include "util/checked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LEVEL 19

static const char *
wanted_folder(void)
{
    const char *folder = rp_environment_get("REELPIPE_CAPTURE");
    return folder && *folder ? folder : NULL;
}

bool
rp_capture_is_wanted(void)
{
    return wanted_folder() != NULL;
}

/* The user has asked for a capture: what becomes of it is said whatever REELPIPE_LOG is. */
static void
say(const char *folder, const char *what)
{
    fprintf(stderr, "reelpipe: capture %s: %s\n", folder, what);
}

void
rp_capture_end(struct rp_capture_device *c, const char *why)
{
    if (!c->has_ended)
        say(c->folder, why);
    c->has_ended = true;
}

static uint64_t
json_id_of(void *ctx, uint64_t handle)
{
    if (handle >> 63)
        return handle & UINT32_MAX;
    const struct rp_capture_object *object = rp_capture_find(ctx, (const void *)(uintptr_t)handle);
    return object ? object->id : 0;
}

static uint64_t
json_blob_of(void *ctx, const void *data, size_t size_B)
{
    struct rp_capture_device *c = ctx;
    uint64_t number = 0;
    if (!c->has_ended && !rp_blobs_add(&c->blobs, data, size_B, &number))
        rp_capture_end(c, "ends: no room for its data");
    return number;
}

static void
init_json(struct rp_capture_device *c, struct rp_json *json)
{
    rp_json_init(json);
    json->id_of = json_id_of;
    json->blob_of = json_blob_of;
    json->ctx = c;
}

static bool
header_write(int file, const struct rp_json *header)
{
    const bool is_written =
        !header->is_out_of_memory && rp_file_append(file, header->text, header->size_B);
    rp_file_close(file);
    return is_written;
}

/* REELPIPE_CAPTURE_ZSTD: the level; without it, or as 0, captures are not compressed. */
static int
wanted_level(void)
{
    const char *text = rp_environment_get("REELPIPE_CAPTURE_ZSTD");
    const long level = text ? strtol(text, NULL, 10) : 0;
    return (int)RP_MIN(RP_MAX(level, 0), MOST_LEVEL);
}

static bool
wants_flushes(void)
{
    const char *text = rp_environment_get("REELPIPE_CAPTURE_FLUSH");
    return text && strcmp(text, "1") == 0;
}

/* A process that ends without destroying its devices would lose what its captures still write. */
static pthread_mutex_t live_mutex = PTHREAD_MUTEX_INITIALIZER; /* guards both */
static struct rp_capture_device *live;
static bool is_exit_watched;

static void
live_wait(void)
{
    pthread_mutex_lock(&live_mutex);
    for (struct rp_capture_device *c = live; c; c = c->next_live)
        rp_writer_wait_unlocked(&c->writer);
    pthread_mutex_unlock(&live_mutex);
}

static void
live_add(struct rp_capture_device *c)
{
    pthread_mutex_lock(&live_mutex);
    c->next_live = live;
    live = c;
    if (!is_exit_watched)
        is_exit_watched = rp_process_at_exit(live_wait);
    pthread_mutex_unlock(&live_mutex);
}

static void
live_remove(const struct rp_capture_device *c)
{
    pthread_mutex_lock(&live_mutex);
    struct rp_capture_device **link = &live;
    while (*link && *link != c)
        link = &(*link)->next_live;
    if (*link)
        *link = c->next_live;
    pthread_mutex_unlock(&live_mutex);
}

/* REELPIPE_CAPTURE_SUBMITS: "a-b", both of them included. */
static void
range_parse(struct rp_capture_device *c)
{
    const char *text = rp_environment_get("REELPIPE_CAPTURE_SUBMITS");
    c->first_submission = 0;
    c->last_submission = UINT64_MAX;
    if (!text || !*text)
        return;
    char *end;
    c->first_submission = strtoull(text, &end, 10);
    c->last_submission = *end == '-' ? strtoull(end + 1, NULL, 10) : c->first_submission;
}

static void
capture_finish(struct rp_capture *capture)
{
    struct rp_capture_device *c = rp_capture_device_of(capture);

    live_remove(c);
    rp_capture_objects_finish(c);
    if (!rp_writer_flush(&c->writer))
        rp_capture_end(c, "ends: no room for its data");
    rp_blobs_finish(&c->blobs);
    rp_writer_finish(&c->writer);
    rp_json_finish(&c->object_json);
    rp_json_finish(&c->submit_json);
    rp_json_finish(&c->result_json);
    rp_free(NULL, c->touches);
    rp_free(NULL, c->touch_slots);
    rp_free(NULL, c->descriptors);
    rp_free(NULL, c->part_hashes);
    pthread_mutex_destroy(&c->run_mutex);
    pthread_mutex_destroy(&c->mutex);
    rp_free(NULL, c);
}

static const struct rp_capture_ops capture_ops = {
    .created = rp_capture_object_created,
    .changed = rp_capture_object_changed,
    .named = rp_capture_object_named,
    .destroyed = rp_capture_object_destroyed,
    .finish = capture_finish,
};

void
rp_capture_create(struct rp_device *dev, const struct rp_json *header, struct rp_capture **out)
{
    const char *wanted = wanted_folder();
    *out = NULL;
    if (!wanted)
        return;
    struct rp_capture_device *c =
        rp_zalloc(NULL, sizeof(*c), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!c) {
        say(wanted, "no memory");
        return;
    }
    const int header_file = rp_folder_create(wanted, "capture.json", c->folder, sizeof(c->folder));
    if (header_file < 0) {
        say(wanted, "the folder cannot be made");
        rp_free(NULL, c);
        return;
    }
    c->base.ops = &capture_ops;
    c->dev = dev;
    c->next_id = 1;
    range_parse(c);
    pthread_mutex_init(&c->run_mutex, NULL);
    pthread_mutex_init(&c->mutex, NULL);
    init_json(c, &c->object_json);
    init_json(c, &c->submit_json);
    init_json(c, &c->result_json);
    c->flushes = wants_flushes();
    rp_blobs_init(&c->blobs, &c->writer);
    const bool has_header = header_write(header_file, header);
    if (!rp_writer_init(&c->writer, c->folder, wanted_level()) || !has_header) {
        say(c->folder, "its files cannot be written");
        capture_finish(&c->base);
        return;
    }
    live_add(c);
    *out = &c->base;
}
