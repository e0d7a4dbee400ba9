/* SPDX-License-Identifier: MIT */
/* libdav1d alone, on whole temporal units.
 */
#ifndef RP_TESTS_CODEC_AOM_JUDGE_H
#define RP_TESTS_CODEC_AOM_JUDGE_H

#include <stddef.h>
#include <stdint.h>

struct judge;

struct judge *judge_create(void);
void judge_destroy(struct judge *judge);

/* One temporal unit, which shows one picture: it is the planes I420 given here, of samples of 8
 * bits or of 10 in 16. Fails the test otherwise. */
void judge_unit(struct judge *judge, const uint8_t *unit, size_t unit_B, const uint8_t *expected,
                uint32_t width_px, uint32_t height_px, uint32_t bit_depth);

/* The same, but that the planes are whatever is shown. */
void judge_show(struct judge *judge, const uint8_t *unit, size_t unit_B, uint8_t *out,
                uint32_t width_px, uint32_t height_px, uint32_t bit_depth);

#endif
