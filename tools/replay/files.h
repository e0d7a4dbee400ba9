/* SPDX-License-Identifier: MIT */
/* The files of a capture: lines, and blobs (src/capture/blobs.h). They have fixed names in its
 * folder: nothing in a capture names a file.
 */
#ifndef RP_TOOLS_REPLAY_FILES_H
#define RP_TOOLS_REPLAY_FILES_H

#include "read.h"

/* A text file whose whole lines (those with an end) are JSON values. */
struct replay_lines {
    const char *name;
    char *text; /* owned: the whole file, mapped; NULL: it is empty */
    size_t size_B;
    size_t at_B;
    size_t number; /* of the last line that was read */
};

struct replay_zstd;

struct replay_blobs {
    uint8_t *bytes; /* owned: the whole file, mapped; NULL: it is empty */
    size_t size_B;
    uint64_t *places; /* owned: of the headers, as far as the file is whole */
    size_t count;
    uint8_t *decoded;         /* owned: RP_BLOB_MAX_B; NULL until a compressed one is read */
    struct replay_zstd *zstd; /* owned; NULL until then */
};

/* The bytes of a plain file of the folder, which system.h unmaps; NULL: it is empty. False after a
 * message. */
bool replay_file_open(struct replay_reader *r, const char *folder, const char *name, uint8_t **out,
                      size_t *size_out);

bool replay_lines_open(struct replay_reader *r, const char *folder, const char *name,
                       struct replay_lines *out);
void replay_lines_close(struct replay_lines *lines);
/* The next line, which the caller deletes (cJSON_Delete); NULL in *out at the end. */
bool replay_lines_next(struct replay_reader *r, struct replay_lines *lines, cJSON **out);

/* The lines from the beginning on that hold a string, as an array that the caller deletes. */
bool replay_lines_find(struct replay_reader *r, const struct replay_lines *lines, const char *text,
                       cJSON **out);

bool replay_blobs_open(struct replay_reader *r, const char *folder, struct replay_blobs *out);
void replay_blobs_close(struct replay_blobs *blobs);
/* A blob's bytes, until the next call, and size, checked against its hash; NULL after a message. */
const uint8_t *replay_blob(struct replay_reader *r, struct replay_blobs *blobs, uint64_t number,
                           size_t *size_out);

#endif
