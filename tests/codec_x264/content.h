/* SPDX-License-Identifier: MIT */
/* Pictures to encode: textures that move and change, the same on every run.
 */
#ifndef RP_TESTS_CODEC_X264_CONTENT_H
#define RP_TESTS_CODEC_X264_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A small random sequence: state is the caller's and never 0. */
uint32_t content_random(uint32_t *state);

/* Fills planes Y, U, V of width x height (even) with picture number index. u_step: bytes from one
 * sample of U (and V) to the next, 2 for NV12. */
void content_fill(uint8_t *y, uint8_t *u, uint8_t *v, size_t y_stride_B, size_t uv_stride_B,
                  size_t u_step, uint32_t width, uint32_t height, uint32_t index);

/* A luma plane of dark letters on white, as dense text is. */
void content_fill_text(uint8_t *y, size_t stride_B, uint32_t width, uint32_t height);

/* Macroblocks of a luma plane that are noise between black and white, others in each picture. */
void content_fill_noise(uint8_t *y, size_t stride_B, uint32_t width, uint32_t height,
                        uint32_t index);

/* One macroblock of a luma plane is noise, another one in each picture: the last one, then those
 * about five rows apart. */
void content_fill_spot(uint8_t *y, size_t stride_B, uint32_t width, uint32_t height,
                       uint32_t index);

/* A luma plane of texture that has gone up by so many lines. */
void content_fill_moved(uint8_t *y, size_t stride_B, uint32_t width, uint32_t height,
                        uint32_t lines);

/* A luma plane of upright stripes, with noise that is the same in each picture, or without. */
void content_fill_stripes(uint8_t *y, size_t stride_B, uint32_t width, uint32_t height,
                          bool is_clean);

#endif
