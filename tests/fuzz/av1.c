/* SPDX-License-Identifier: MIT */
/* Fuzz target: AV1 headers. Whatever the bytes are, nothing is read outside of them, and each
 * header that is legal is written again bit for bit (tests/av1/walk.c requires it).
 */
#include "target.h"

#include "tests/av1/walk.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
    struct av1_walk walk = {0};
    while (size_B > 0) {
        struct av1_obu obu;
        const enum rp_av1_status status = av1_walk_next(&walk, data, size_B, &obu);
        if (status == RP_AV1_OK) {
            data += obu.size_B;
            size_B -= obu.size_B;
        } else { /* goes on behind the byte that may be wrong */
            data++;
            size_B--;
        }
    }
    return 0;
}
