/* SPDX-License-Identifier: MIT */
/* Reference structures: which picture refers to which.
 */
#ifndef RP_TESTS_CODEC_X264_STRUCTURES_H
#define RP_TESTS_CODEC_X264_STRUCTURES_H

#include "app.h"

struct structure {
    const char *name;
    void (*run)(struct app *app); /* codes options->picture_count pictures */
};

extern const struct structure structures[];
extern const uint32_t structure_count;

/* NULL when there is none of that name. */
const struct structure *structure_find(const char *name);

/* An application that has coded its pictures. */
struct app *structure_code(const struct structure *structure, const struct app_options *options);

#endif
