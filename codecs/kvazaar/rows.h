/* SPDX-License-Identifier: MIT */
/* Rows of samples between images and kvazaar's planes.
 */
#ifndef RP_CODECS_KVAZAAR_ROWS_H
#define RP_CODECS_KVAZAAR_ROWS_H

#include "codecs/kvazaar/core.h"

#include <stdint.h>

/* Images have samples of KVZ_BIT_DEPTH as struct rp_picture says. UV counts pairs. */
void rp_kvazaar_row_read(const uint8_t *src, kvz_pixel *dst, uint32_t count);
void rp_kvazaar_uv_row_read(const uint8_t *src, kvz_pixel *u, kvz_pixel *v, uint32_t count);

/* After the last row rp_interleave_end() (codecs/planes/interleave.h). */
void rp_kvazaar_row_write(const kvz_pixel *src, uint8_t *dst, uint32_t count);
void rp_kvazaar_uv_row_write(const kvz_pixel *u, const kvz_pixel *v, uint8_t *dst, uint32_t count);

#endif
