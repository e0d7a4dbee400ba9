/* SPDX-License-Identifier: MIT */
/* Statistics of bands of samples (8.7.3.2): of each 32nd of the range how many samples there are,
 * and the sum of what they lack.
 */
#include "codecs/kvazaar/core.h"

#define BANDS 32
#define TABLES 4 /* neighbours are alike, and each would wait for the sums of the one before */

void
rp_kvazaar_sao_bands_add(const kvz_pixel *original, const kvz_pixel *decoded, int32_t count,
                         int32_t bands[2][BANDS])
{
    /* The sum in the upper half, the number in the lower one. */
    uint64_t tables[TABLES][BANDS] = {{0}};
    for (int32_t i = 0; i < count; i += TABLES) {
        for (int32_t k = 0; k < TABLES; k++) {
            const uint64_t lack = (uint64_t)original[i + k] - decoded[i + k];
            tables[k][decoded[i + k] >> (KVZ_BIT_DEPTH - 5)] += (lack << 32) + 1;
        }
    }
    for (int32_t band = 0; band < BANDS; band++) {
        uint64_t both = 0;
        for (int32_t k = 0; k < TABLES; k++)
            both += tables[k][band];
        bands[0][band] += (int32_t)(both >> 32);
        bands[1][band] += (int32_t)(both & UINT32_MAX);
    }
}
