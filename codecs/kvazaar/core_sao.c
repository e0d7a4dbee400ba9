/* SPDX-License-Identifier: MIT */
/* kvazaar's sao.c, unchanged but for its statistics of bands, which sao_bands.c has instead: each
 * sample there waits for the sums of the one before.
 *
 * The function is static. Its definition begins with another token than its calls, and so gets
 * another name.
 */
#define calc_sao_bands(first, ...) BANDS_##first, __VA_ARGS__)
#define BANDS_const unused_sao_bands(const
#define BANDS_state sao_bands_add(state

#include "codecs/kvazaar/core.h"

static void sao_bands_add(const encoder_state_t *state, const kvz_pixel *original,
                          const kvz_pixel *decoded, int width, int height, int bands[2][32]);

#include "sao.c"

static void
sao_bands_add(const encoder_state_t *state, const kvz_pixel *original, const kvz_pixel *decoded,
              int width, int height, int bands[2][32])
{
    rp_kvazaar_sao_bands_add(original, decoded, width * height, bands);
}
