/* SPDX-License-Identifier: MIT */
/* The coded bytes do not depend on the CPU: each mask of REELPIPE_CPU, in a process of its own
 * since features are found once, gives the same.
 */
#include "app.h"
#include "structures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define QUALITY_LEVELS 8

static const char *const masks[] = {"0", "1", "3", "7", "0xff"};
#define MASK_COUNT (sizeof(masks) / sizeof(masks[0]))

static const struct rp_rate_settings cbr = {
    .mode = RP_RATE_CBR,
    .layer_count = 1,
    .layer[0] = {.average_bps = 500000,
                 .max_bps = 500000,
                 .frame_rate_numerator = 30,
                 .frame_rate_denominator = 1},
    .virtual_buffer_ms = 500,
    .initial_virtual_buffer_ms = 400,
};

static uint64_t
hash_add(uint64_t hash, const uint8_t *data, size_t size_B)
{
    for (size_t i = 0; i < size_B; i++)
        hash = (hash ^ data[i]) * UINT64_C(1099511628211);
    return hash;
}

static uint64_t
hash_of(const char *structure, uint32_t quality, bool is_rated)
{
    const struct app_options options = {
        .width = 112,
        .height = 80,
        .picture_count = 8,
        .max_refs = 4,
        .quality = quality,
        .profile = STD_VIDEO_H264_PROFILE_IDC_HIGH,
        .has_transform_8x8 = true,
        .weighted_bipred_idc = 2,
        .qp = 24,
        .rate = is_rated ? &cbr : NULL,
    };
    struct app *app = structure_code(structure_find(structure), &options);
    uint32_t count;
    const struct app_record *records = app_records(app, &count);
    uint64_t hash = app_status(app) == RP_CODEC_OK ? 1 : 0;
    for (uint32_t i = 0; i < count; i++)
        hash = hash_add(hash, records[i].data, records[i].size_B);
    app_destroy(app);
    return hash;
}

/* One hash for each quality level, and one for each with a rate. */
static void
hash_all(uint64_t out[2 * QUALITY_LEVELS])
{
    static const char *const structure[] = {"ippp", "ibbp", "short-gops", "random-p"};

    for (uint32_t i = 0; i < 2 * QUALITY_LEVELS; i++)
        out[i] = hash_of(structure[i % 4], i / 2, i % 2);
}

static bool
run_child(const char *mask, uint64_t out[2 * QUALITY_LEVELS])
{
    const size_t size_B = 2 * QUALITY_LEVELS * sizeof(out[0]);
    int pipe_fd[2];
    if (pipe(pipe_fd) != 0)
        return false;
    const pid_t child = fork();
    if (child == 0) {
        uint64_t hashes[2 * QUALITY_LEVELS];
        setenv("REELPIPE_CPU", mask, 1);
        hash_all(hashes);
        _exit(write(pipe_fd[1], hashes, size_B) == (ssize_t)size_B ? 0 : 1);
    }
    close(pipe_fd[1]);
    const bool is_read = child > 0 && read(pipe_fd[0], out, size_B) == (ssize_t)size_B;
    close(pipe_fd[0]);
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0 && is_read;
}

int
main(void)
{
    uint64_t hashes[MASK_COUNT][2 * QUALITY_LEVELS];
    uint32_t failed_count = 0;

    for (uint32_t m = 0; m < MASK_COUNT; m++) {
        if (!run_child(masks[m], hashes[m])) {
            fprintf(stderr, "FAILED: no result with REELPIPE_CPU=%s\n", masks[m]);
            return 1;
        }
        for (uint32_t i = 0; i < 2 * QUALITY_LEVELS; i++) {
            if (hashes[m][i] == hashes[0][i])
                continue;
            fprintf(stderr, "FAILED: other bytes with REELPIPE_CPU=%s: level %u%s\n", masks[m],
                    i / 2, i % 2 ? ", constant rate" : "");
            failed_count++;
        }
    }
    return failed_count != 0;
}
