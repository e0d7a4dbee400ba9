/* SPDX-License-Identifier: MIT */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int
replay_file_open(struct replay_reader *r, const char *folder, const char *name, size_t *size_out)
{
    char path[4096];
    struct stat status;
    r->file = name;
    r->line = 0;
    /* Without waiting for somebody at the other end of a pipe. */
    const int length = snprintf(path, sizeof(path), "%s/%s", folder, name);
    const int file = length < 0 || (size_t)length >= sizeof(path)
                         ? -1
                         : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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
    const int file = replay_file_open(r, folder, name, &out->size_B);
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
replay_lines_find(struct replay_reader *r, const struct replay_lines *lines, const char *text,
                  cJSON **out)
{
    struct replay_lines copy = *lines;
    copy.at_B = 0;
    copy.number = 0;
    *out = cJSON_CreateArray();
    while (*out && copy.at_B < copy.size_B) {
        const char *start = copy.text + copy.at_B;
        const char *end = memchr(start, '\n', copy.size_B - copy.at_B);
        const size_t size_B = end ? (size_t)(end - start) : copy.size_B - copy.at_B;
        cJSON *line = NULL;
        if (!end || !memmem(start, size_B, text, strlen(text))) {
            copy.at_B += size_B + 1;
            copy.number++;
        } else if (!replay_lines_next(r, &copy, &line)) {
            return false;
        } else if (!cJSON_AddItemToArray(*out, line)) {
            cJSON_Delete(line);
            return replay_fail(r, "no memory");
        }
    }
    return *out || replay_fail(r, "no memory");
}
