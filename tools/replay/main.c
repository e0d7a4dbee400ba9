/* SPDX-License-Identifier: MIT */
#include "replay.h"
#include "system.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
usage(FILE *out)
{
    fputs("usage: reelpipe-replay [options] FOLDER\n"
          "Does again what REELPIPE_CAPTURE=FOLDER captured, without the application.\n"
          "\n"
          "  --check         compares what each submission wrote with what it wrote then; exit\n"
          "                  status 1 when something differs. Runs on one processor, so that\n"
          "                  atomics of floating-point numbers add up in the same order\n"
          "  --submits A-B   checks, times and tells of these submissions alone (those before\n"
          "                  them are replayed, too, because they depend on them)\n"
          "  --loop N        runs each submission N times (video: once) and prints the median\n"
          "                  and the shortest time in milliseconds\n"
          "  --dump OBJECT   writes what a buffer or image (its number in objects.jsonl, or the\n"
          "                  name that the application gave it) holds at the end to the standard\n"
          "                  output\n"
          "  --device NAME   a device whose name contains this; without it the one that was\n"
          "                  captured, or else the first\n"
          "\n"
          "A capture holds what the application's memory held. One that needs a feature or an\n"
          "extension which the device lacks is refused with its name.\n",
          out);
}

static bool
range_parse(const char *text, struct replay_options *out)
{
    char *end;
    out->first = strtoull(text, &end, 10);
    out->last = out->first;
    if (end != text && *end == '-') {
        const char *second = end + 1;
        out->last = strtoull(second, &end, 10);
        if (end == second)
            return false;
    }
    return end != text && *end == '\0' && out->first <= out->last;
}

static bool
options_parse(int argc, char **argv, struct replay_options *out)
{
    static const struct option names[] = {
        {"check", no_argument, NULL, 'c'},
        {"device", required_argument, NULL, 'd'},
        {"dump", required_argument, NULL, 'u'},
        {"help", no_argument, NULL, 'h'},
        {"loop", required_argument, NULL, 'l'},
        {"submits", required_argument, NULL, 's'},
        {NULL, 0, NULL, 0},
    };
    *out = (struct replay_options){.last = UINT64_MAX};
    int option;
    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
        switch (option) {
        case 'c':
            out->checks = true;
            break;
        case 'd':
            out->device = optarg;
            break;
        case 'u':
            out->dump = optarg;
            break;
        case 'l':
            out->loop_count = (uint32_t)strtoul(optarg, NULL, 10);
            break;
        case 's':
            if (!range_parse(optarg, out))
                return false;
            break;
        case 'h':
            usage(stdout);
            exit(0);
        default:
            return false;
        }
    }
    out->folder = optind + 1 == argc ? argv[optind] : NULL;
    return out->folder != NULL;
}

static bool
handle_of(void *ctx, uint64_t id, const char *type, uint64_t *out)
{
    const struct replay_object *object = replay_object_get(ctx, id, type);
    *out = object ? object->handle : 0;
    return object != NULL && object->handle != 0;
}

static const void *
blob_at(void *ctx, uint64_t number, size_t size_B)
{
    struct replay *replay = ctx;
    size_t there_B;
    const void *bytes = replay_blob(&replay->reader, &replay->blobs, number, &there_B);
    return bytes && there_B >= size_B ? bytes : NULL;
}

static bool
header_read(struct replay *replay)
{
    struct replay_lines lines;
    uint64_t version;
    if (!replay_lines_open(&replay->reader, replay->options->folder, "capture.json", &lines))
        return false;
    const bool is_read = replay_lines_next(&replay->reader, &lines, &replay->header);
    replay_lines_close(&lines);
    const char *format = cJSON_GetStringValue(replay_get(replay->header, "format"));
    if (!is_read)
        return false;
    if (!format || strcmp(format, "reelpipe-capture") != 0)
        return replay_fail(&replay->reader, "is not that of a capture");
    if (!replay_read_u64(&replay->reader, replay_get(replay->header, "version"), &version))
        return false;
    return version == 2 ||
           replay_fail(&replay->reader, "version %llu is not known", (unsigned long long)version);
}

static bool
replay_all(struct replay *replay)
{
    const char *folder = replay->options->folder;
    return header_read(replay) &&
           replay_lines_open(&replay->reader, folder, "objects.jsonl", &replay->objects_file) &&
           replay_lines_open(&replay->reader, folder, "submits.jsonl", &replay->submits_file) &&
           replay_lines_find(&replay->reader, &replay->submits_file, "\"lost\":", &replay->lost) &&
           replay_blobs_open(&replay->reader, folder, &replay->blobs) &&
           replay_device_create(replay) && replay_run(replay) &&
           (!replay->options->dump || replay_memory_dump(replay, replay->options->dump));
}

int
main(int argc, char **argv)
{
    struct replay_options options;
    if (!options_parse(argc, argv, &options)) {
        usage(stderr);
        return 2;
    }
    if (options.checks)
        replay_become_serial();
    /* The replay is not to be captured itself. */
    replay_forget_variable("REELPIPE_CAPTURE");
    if (options.dump)
        replay_write_bytes();

    struct replay replay = {.options = &options};
    replay.reader.handle_of = handle_of;
    replay.reader.blob_at = blob_at;
    replay.reader.ctx = &replay;
    const bool is_good = replay_all(&replay);
    if (!is_good)
        fprintf(stderr, "reelpipe-replay: %s\n", replay.reader.error);
    else if (options.checks)
        fprintf(stderr, "%llu results checked, %llu differ\n",
                (unsigned long long)replay.check_count,
                (unsigned long long)replay.difference_count);
    replay_objects_destroy(&replay);
    replay_device_destroy(&replay);
    replay_lines_close(&replay.objects_file);
    replay_lines_close(&replay.submits_file);
    replay_blobs_close(&replay.blobs);
    cJSON_Delete(replay.header);
    cJSON_Delete(replay.lost);
    replay_read_reset(&replay.reader);
    return is_good && replay.difference_count == 0 ? 0 : 1;
}
