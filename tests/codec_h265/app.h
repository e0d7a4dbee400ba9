/* SPDX-License-Identifier: MIT */
/* An application that decodes an H.265 byte stream with a DPB of its own (8.3.1, 8.3.2), as a
 * Vulkan client does.
 */
#ifndef RP_TESTS_CODEC_H265_APP_H
#define RP_TESTS_CODEC_H265_APP_H

#include "reelpipe/decode_h265.h"
#include "video/h265/nal_units.h"
#include "video/h265/private_stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define APP_MAX_STREAMS 3
#define APP_MAX_SLICES 1024

/* Hashes of pictures, in any order. */
struct hashes {
    uint64_t *at;
    size_t count;
    size_t capacity;
};

void hashes_add(struct hashes *hashes, uint64_t hash);

/* How many of a are not in b; sorts both. */
size_t hashes_missing(struct hashes *a, struct hashes *b);

/* Goes on with the samples of one row. */
uint64_t hash_row(uint64_t hash, const uint8_t *row, size_t size_B);

/* What all streams of a run share. */
struct session {
    /* Decodes a picture; NULL: by the decoder, in private streams. */
    enum rp_codec_status (*decode)(void *context, const struct rp_h265_private_request *request,
                                   const struct rp_picture *dst);
    void *context;
    const struct rp_decode_codec *codec;
    struct rp_decoder *dec;
    struct rp_h265_private_streams streams;
    struct rp_h265_private_picture picture;
    uint64_t random;
    uint32_t slot_count; /* that pictures may be in; 0: RP_H265_DECODE_SLOTS */
    uint32_t slots_used; /* one bit each */
    bool is_in_place;
    bool is_planar;
    uint32_t damage_percent;          /* of the slices are damaged */
    uint32_t lost_percent;            /* of the pictures are not decoded */
    uint32_t dropped_percent;         /* of the slices, but not of the first one of a picture */
    bool has_crowds;                  /* each picture is decoded with a hostile set before */
    void (*enters)(bool is_entering); /* told when the driver's code begins and ends; or NULL */
    bool may_fail;                    /* else pictures must be decoded, and exactly */
    uint32_t retained_count;
    bool may_retain; /* there are pictures of 8 bits, which can be decoded in place */
    uint32_t decoded_count;
    uint32_t damaged_count;
    uint32_t out_of_memory_count;
    uint32_t incomplete_count; /* pictures whose slices were dropped */
};

uint32_t random_below(struct session *session, uint32_t n);

struct frame {
    bool is_used; /* holds a picture */
    bool is_long_term;
    int32_t poc;
    int32_t slot; /* the decoder's */
    uint8_t *memory;
    struct rp_picture dst;
};

struct stream {
    struct session *session;
    const char *name;
    uint8_t *file;
    size_t file_B;
    size_t at_B;
    struct rp_h265_sps sps[RP_H265_SPS_LIMIT];
    struct rp_h265_pps pps[RP_H265_PPS_LIMIT];
    bool has_sps[RP_H265_SPS_LIMIT];
    bool has_pps[RP_H265_PPS_LIMIT];

    struct frame frames[RP_H265_DECODE_SLOTS];
    bool is_first;        /* or after the end of a sequence */
    bool skips_rasl;      /* NoRaslOutputFlag of the last IRAP picture */
    int32_t last_poc;     /* prevTid0Pic */
    struct hashes hashes; /* of what is output */
    uint32_t picture_count;

    /* Slices of the picture under way. */
    uint32_t offsets_B[APP_MAX_SLICES];
    uint32_t slice_count;
    struct rp_h265_nal first; /* its first slice */
    struct rp_h265_slice_header header;
    uint32_t short_term_set_bits;
};

void stream_open(struct stream *stream, struct session *session, const char *name);
void stream_close(struct stream *stream);

/* Decodes the next picture. False at the end. */
bool stream_step(struct stream *stream);

#endif
