/* SPDX-License-Identifier: MIT */
/* Jobs of the H.264 decoder as bytes: the input of the decode target, in this machine's byte order.
 *
 * For each job: the two parameter sets as their structs (pointers do not count), a struct
 * decode_head, then head.ref_count references, head.slice_count offsets (uint32_t) and head.data_B
 * bytes.
 */
#ifndef RP_TESTS_FUZZ_DECODE_FORMAT_H
#define RP_TESTS_FUZZ_DECODE_FORMAT_H

#include <stdint.h>

#define DECODE_FIELD 1u
#define DECODE_BOTTOM 2u
#define DECODE_IDR 4u
#define DECODE_REFERENCE 8u
#define DECODE_RESET 16u /* before the picture */
#define DECODE_I420 32u
#define DECODE_TWO_OUTPUTS 64u

struct decode_head {
    uint8_t flags;
    int8_t setup_slot;
    uint8_t ref_count;
    uint8_t slice_count;
    uint32_t frame_num;
    int32_t poc[2];
    uint32_t data_B;
};

#define DECODE_TOP_REFERENCE 1u
#define DECODE_BOTTOM_REFERENCE 2u
#define DECODE_LONG_TERM 4u
#define DECODE_NON_EXISTING 8u

struct decode_reference {
    int8_t slot;
    uint8_t flags;
    uint16_t frame_num;
    int32_t poc[2];
};

#endif
