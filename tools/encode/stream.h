/* SPDX-License-Identifier: MIT */
/* Coded pictures on their way into a file: as they are, or in the IVF container.
 */
#ifndef RP_TOOLS_ENCODE_STREAM_H
#define RP_TOOLS_ENCODE_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum container { CONTAINER_NONE, CONTAINER_IVF };

struct stream_settings {
    enum container container;
    uint32_t width_px;
    uint32_t height_px;
    uint32_t fps_numerator;
    uint32_t fps_denominator;
    uint64_t first_picture; /* number of the first one in the whole clip, for its time */
};

struct stream {
    FILE *file;
    enum container container;
    uint64_t first_picture;
    uint64_t picture_count;
    uint64_t size_B; /* so far, with the container */
};

/* path "-" is the standard output. Ends the program when the file cannot be made. */
void stream_open(struct stream *stream, const char *path, const struct stream_settings *settings);

/* Says in the file how many pictures there are, if it is one that can be written again. */
void stream_close(struct stream *stream);

/* For encoder_settings: ctx is the stream. */
void stream_begin_picture(void *ctx, size_t size_B);
void stream_write(void *ctx, const void *data, size_t size_B);

/* For other files likewise. */
FILE *file_create(const char *path);
void file_write(FILE *file, const void *data, size_t size_B);
void file_close(FILE *file);

#endif
