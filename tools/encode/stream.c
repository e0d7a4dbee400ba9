/* SPDX-License-Identifier: MIT */
/* IVF: a header of 32 bytes, then pictures with their size and time, all little-endian. */
#include "tools/encode/stream.h"

#include "tools/encode/vk.h"

#include <errno.h>
#include <string.h>

#define IVF_HEADER_B 32
#define IVF_PICTURE_HEADER_B 12
#define IVF_COUNT_AT 24

FILE *
file_create(const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");

    if (!file)
        die("%s: %s", path, strerror(errno));
    return file;
}

void
file_write(FILE *file, const void *data, size_t size_B)
{
    if (fwrite(data, 1, size_B, file) != size_B)
        die("cannot write: %s", strerror(errno));
}

void
file_close(FILE *file)
{
    if (fclose(file) != 0)
        die("cannot write: %s", strerror(errno));
}

static void
put(uint8_t *to, uint64_t value, uint32_t size_B)
{
    for (uint32_t i = 0; i < size_B; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

void
stream_open(struct stream *stream, const char *path, const struct stream_settings *settings)
{
    uint8_t header[IVF_HEADER_B] = "DKIF";

    *stream = (struct stream){
        .file = file_create(path),
        .container = settings->container,
        .first_picture = settings->first_picture,
    };
    if (stream->container != CONTAINER_IVF)
        return;
    put(header + 6, IVF_HEADER_B, 2);
    memcpy(header + 8, "AV01", 4);
    put(header + 12, settings->width_px, 2);
    put(header + 14, settings->height_px, 2);
    put(header + 16, settings->fps_numerator, 4);
    put(header + 20, settings->fps_denominator, 4);
    stream_write(stream, header, sizeof(header));
}

void
stream_close(struct stream *stream)
{
    uint8_t count[4];

    put(count, stream->picture_count, sizeof(count));
    if (stream->container == CONTAINER_IVF && fseek(stream->file, IVF_COUNT_AT, SEEK_SET) == 0)
        file_write(stream->file, count, sizeof(count));
    file_close(stream->file);
}

void
stream_begin_picture(void *ctx, size_t size_B)
{
    struct stream *stream = ctx;
    uint8_t header[IVF_PICTURE_HEADER_B];

    if (stream->container == CONTAINER_IVF) {
        put(header, size_B, 4);
        put(header + 4, stream->first_picture + stream->picture_count, 8);
        stream_write(stream, header, sizeof(header));
    }
    stream->picture_count++;
}

void
stream_write(void *ctx, const void *data, size_t size_B)
{
    struct stream *stream = ctx;

    file_write(stream->file, data, size_B);
    stream->size_B += size_B;
}
