/* SPDX-License-Identifier: MIT */
/* AV1's open bitstream units (5.3) and leb128() (4.10.5).
 */
#ifndef RP_VIDEO_AV1_OBU_H
#define RP_VIDEO_AV1_OBU_H

#include "video/av1/syntax.h"

#define RP_AV1_MAX_LEB128_B 8
#define RP_AV1_MAX_OBU_HEADER_B (2 + RP_AV1_MAX_LEB128_B)

enum rp_av1_obu_type {
    RP_AV1_OBU_SEQUENCE_HEADER = 1,
    RP_AV1_OBU_TEMPORAL_DELIMITER = 2,
    RP_AV1_OBU_FRAME_HEADER = 3,
    RP_AV1_OBU_TILE_GROUP = 4,
    RP_AV1_OBU_METADATA = 5,
    RP_AV1_OBU_FRAME = 6,
    RP_AV1_OBU_REDUNDANT_FRAME_HEADER = 7,
    RP_AV1_OBU_TILE_LIST = 8,
    RP_AV1_OBU_PADDING = 15,
};

/* obu_header() and obu_size (5.3.1, 5.3.2). Reserved bits are 0 in streams of today, and are to be
 * passed over in others. */
struct rp_av1_obu_header {
    uint32_t obu_type; /* enum rp_av1_obu_type, or reserved: those are to be passed over */
    bool obu_extension_flag;
    uint32_t temporal_id;
    uint32_t spatial_id;
    bool obu_has_size_field;
    uint32_t obu_reserved_1bit;
    uint32_t extension_header_reserved_3bits;
    size_t payload_B;      /* obu_size, or the rest of the data */
    uint32_t size_field_B; /* written: at least so many; 0: as few as will do */
};

/* The OBU at the start of data. *header_B_out: where its payload begins. Outputs are written on
 * success alone. */
enum rp_av1_status rp_av1_obu_header_read(const void *data, size_t size_B,
                                          struct rp_av1_obu_header *out, size_t *header_B_out);

enum rp_av1_status rp_av1_obu_header_write(const struct rp_av1_obu_header *header, void *data,
                                           size_t capacity_B, size_t *header_B_out);

#endif
