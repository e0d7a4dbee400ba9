/* SPDX-License-Identifier: MIT */
/* libdav1d's public structs, as far as they are used: settings, data, pictures and the picture
 * allocator.
 *
 * From the headers of dav1d 1.0.0 (libdav1d.so.6) and 1.5.1 (libdav1d.so.7), which differ in one
 * thing that matters: a picture of the newer one has a field more in front of its allocator_data.
 * tests/codec_dav1d/layout.c holds this against the headers of the machine, where there are some.
 */
#ifndef RP_CODECS_DAV1D_LAYOUT_H
#define RP_CODECS_DAV1D_LAYOUT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct rp_dav1d_picture;

/* enum Dav1dPixelLayout */
#define RP_DAV1D_I400 0
#define RP_DAV1D_I420 1

/* DAV1D_PICTURE_ALIGNMENT: of planes, and what may be read and written behind them. Planes are of
 * whole squares of RP_DAV1D_BLOCK_PX luma samples. */
#define RP_DAV1D_ALIGN_B 64
#define RP_DAV1D_BLOCK_PX 128

#define RP_DAV1D_MAX_THREADS 256u /* DAV1D_MAX_THREADS */

/* Dav1dSettings */
struct rp_dav1d_settings {
    int n_threads;
    int max_frame_delay;
    int apply_grain;
    int operating_point;
    int all_layers;
    unsigned frame_size_limit; /* pixels; 0: none */
    struct {                   /* Dav1dPicAllocator */
        void *cookie;
        int (*alloc_picture)(struct rp_dav1d_picture *picture, void *cookie);
        void (*release_picture)(struct rp_dav1d_picture *picture, void *cookie);
    } allocator;
    struct { /* Dav1dLogger */
        void *cookie;
        void (*callback)(void *cookie, const char *format, va_list args);
    } logger;
    int strict_std_compliance;
    int output_invisible_frames;
    int inloop_filters;
    uint8_t reserved[20];
};

/* Dav1dData */
struct rp_dav1d_data {
    const uint8_t *data;
    size_t size_B;
    void *others[7];
};

/* Dav1dPicture: what all versions have in front, and room for the largest. */
#define RP_DAV1D_PICTURE_ROOM_B 512
struct rp_dav1d_picture {
    void *seq_hdr;
    void *frame_hdr;
    void *data[3]; /* rows of bytes, or of 16-bit words above 8 bits a sample */
    ptrdiff_t stride_B[2];
    struct { /* Dav1dPictureParameters */
        int width_px;
        int height_px;
        int layout; /* RP_DAV1D_* */
        int bit_depth;
    } parameters;
    uint8_t others[RP_DAV1D_PICTURE_ROOM_B - 72];
};

struct rp_dav1d_layout {
    const char *soname;
    size_t picture_B; /* sizeof(Dav1dPicture) */
    size_t allocator_data_offset_B;
};

/* All that are known, newest first. */
#define RP_DAV1D_LAYOUTS 2
extern const struct rp_dav1d_layout rp_dav1d_layouts[RP_DAV1D_LAYOUTS];

#endif
