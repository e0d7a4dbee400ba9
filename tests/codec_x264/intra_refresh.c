/* SPDX-License-Identifier: MIT */
/* A decoder whose first picture was another one has every sample right when a refresh cycle is
 * over.
 */
#include "app.h"
#include "decoder.h"
#include "structures.h"

#include <stdio.h>
#include <string.h>

static uint32_t failed_count;

static void
recovers(const char *structure, const struct app_options *options)
{
    struct app_options other_options = *options;
    other_options.first_display = 77;
    other_options.picture_count = 1;
    struct app *app = structure_code(structure_find(structure), options);
    struct app *other = structure_code(structure_find("ippp"), &other_options);
    uint32_t count;
    const struct app_record *other_first = app_records(other, &count);

    uint32_t wrong = app_status(app) != RP_CODEC_OK;
    if (!wrong)
        wrong = decoder_check(app);
    if (!wrong)
        wrong = decoder_check_recovery(app, other_first, options->refresh_cycle);
    if (wrong) {
        fprintf(stderr, "FAILED: %s, refresh %d, quality %u: %u wrong\n", structure,
                options->refresh, options->quality, wrong);
        failed_count++;
    }
    app_destroy(other);
    app_destroy(app);
}

int
main(void)
{
    static const struct rp_rate_settings cbr = {
        .mode = RP_RATE_CBR,
        .layer_count = 1,
        .layer[0] = {.average_bps = 800000,
                     .max_bps = 800000,
                     .frame_rate_numerator = 30,
                     .frame_rate_denominator = 1},
    };
    const struct app_options base = {
        .width = 160,
        .height = 128,
        .picture_count = 14,
        .max_refs = 1,
        .refresh_cycle = 5,
    };

    for (int refresh = REFRESH_COLUMNS; refresh <= REFRESH_SCATTER; refresh++) {
        struct app_options options = base;
        options.refresh = (enum app_refresh)refresh;
        for (options.quality = 0; options.quality < 8; options.quality += 2)
            recovers("ippp", &options);
        options.quality = 5;
        options.profile = STD_VIDEO_H264_PROFILE_IDC_HIGH;
        options.has_transform_8x8 = true;
        options.slice_count = 3;
        options.threads = 3;
        recovers("ippp", &options);
        options.is_cavlc = true;
        options.rate = &cbr;
        recovers("ippp", &options);
        options.rate = NULL;
        options.has_constrained_intra = true;
        recovers("ippp", &options);
        recovers("low-delay-b", &options);
    }
    for (uint32_t i = 0; i < 8; i++) {
        struct app_options options = base;
        options.refresh = REFRESH_SLICES;
        options.slice_count = options.refresh_cycle;
        options.is_unaligned = i % 2;
        options.is_cavlc = i % 4 > 1;
        options.quality = i;
        options.threads = i % 3;
        options.rate = i == 5 ? &cbr : NULL;
        options.has_slice_filters = i % 3 == 2;
        recovers("ippp", &options);
    }
    return failed_count > 0;
}
