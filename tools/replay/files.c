/* SPDX-License-Identifier: MIT */
#include "files.h"

#include "capture/blobs.h"
#include "util/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int
file_open(struct replay_reader *r, const char *folder, const char *name, size_t *size_out)
{
    char path[4096];
    struct stat status;
    r->file = name;
    r->line = 0;
    const int length = snprintf(path, sizeof(path), "%s/%s", folder, name);
    const int file =
        length < 0 || (size_t)length >= sizeof(path) ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        (void)replay_fail(r, "cannot be read (%s)", file < 0 ? strerror(errno) : "no plain file");
        if (file >= 0)
            close(file);
        return -1;
    }
    *size_out = (size_t)status.st_size;
    return file;
}

bool
replay_lines_open(struct replay_reader *r, const char *folder, const char *name,
                  struct replay_lines *out)
{
    *out = (struct replay_lines){.name = name};
    const int file = file_open(r, folder, name, &out->size_B);
    if (file < 0)
        return false;
    out->text = malloc(out->size_B + 1);
    size_t at_B = 0;
    ssize_t got_B = 1;
    while (out->text && got_B > 0 && at_B < out->size_B) {
        got_B = read(file, out->text + at_B, out->size_B - at_B);
        at_B += got_B > 0 ? (size_t)got_B : 0;
    }
    close(file);
    out->size_B = at_B;
    return out->text || replay_fail(r, "no memory");
}

void
replay_lines_close(struct replay_lines *lines)
{
    free(lines->text);
    lines->text = NULL;
}

bool
replay_lines_next(struct replay_reader *r, struct replay_lines *lines, cJSON **out)
{
    const char *start = lines->text + lines->at_B;
    const char *end = memchr(start, '\n', lines->size_B - lines->at_B);
    *out = NULL;
    if (!end)
        return true; /* what is left was being written when the process died */
    lines->at_B += (size_t)(end - start) + 1;
    r->file = lines->name;
    r->line = ++lines->number;
    *out = cJSON_ParseWithLength(start, (size_t)(end - start));
    return *out || replay_fail(r, "is no JSON");
}

bool
replay_blobs_open(struct replay_reader *r, const char *folder, struct replay_blobs *out)
{
    *out = (struct replay_blobs){0};
    const int file = file_open(r, folder, "blobs.bin", &out->size_B);
    if (file < 0)
        return false;
    void *bytes = out->size_B ? mmap(NULL, out->size_B, PROT_READ, MAP_PRIVATE, file, 0) : NULL;
    close(file);
    if (bytes == MAP_FAILED)
        return replay_fail(r, "cannot be mapped");
    out->bytes = bytes;
    return true;
}

void
replay_blobs_close(struct replay_blobs *blobs)
{
    if (blobs->bytes)
        munmap(blobs->bytes, blobs->size_B);
    blobs->bytes = NULL;
}

const uint8_t *
replay_blob(struct replay_reader *r, const struct replay_blobs *blobs, uint64_t place,
            size_t *size_out)
{
    struct rp_blob_header header;
    const unsigned long long at = place;
    if (blobs->size_B < sizeof(header) || place > blobs->size_B - sizeof(header)) {
        (void)replay_fail(r, "blobs.bin has no blob at %llu", at);
        return NULL;
    }
    memcpy(&header, blobs->bytes + place, sizeof(header));
    const uint64_t left_B = blobs->size_B - place - sizeof(header);
    if (header.magic != RP_BLOB_MAGIC || header.version != 1 || header.coding != 0 ||
        header.stored_B != header.size_B || header.size_B > left_B) {
        (void)replay_fail(r, "blobs.bin has no blob at %llu", at);
        return NULL;
    }
    const uint8_t *bytes = blobs->bytes + place + sizeof(header);
    if (rp_hash(0, bytes, header.size_B) != header.hash) {
        (void)replay_fail(r, "the blob at %llu is damaged", at);
        return NULL;
    }
    *size_out = header.size_B;
    return bytes;
}
