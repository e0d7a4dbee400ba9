/* SPDX-License-Identifier: MIT */
#include "files.h"

#include "system.h"

#include <stdio.h>
#include <string.h>

bool
replay_file_open(struct replay_reader *r, const char *folder, const char *name, uint8_t **out,
                 size_t *size_out)
{
    char path[4096];
    char reason[REPLAY_REASON_CHARS] = "its path is too long";
    r->file = name;
    r->line = 0;
    const int length = snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (length >= 0 && (size_t)length < sizeof(path) &&
        replay_file_map(path, out, size_out, reason))
        return true;
    return replay_fail(r, "cannot be read (%s)", reason);
}

bool
replay_lines_open(struct replay_reader *r, const char *folder, const char *name,
                  struct replay_lines *out)
{
    uint8_t *bytes;
    *out = (struct replay_lines){.name = name};
    if (!replay_file_open(r, folder, name, &bytes, &out->size_B))
        return false;
    out->text = (char *)bytes;
    return true;
}

void
replay_lines_close(struct replay_lines *lines)
{
    replay_file_unmap((uint8_t *)lines->text, lines->size_B);
    lines->text = NULL;
}

bool
replay_lines_next(struct replay_reader *r, struct replay_lines *lines, cJSON **out)
{
    *out = NULL;
    if (!lines->text)
        return true;
    const char *start = lines->text + lines->at_B;
    const char *end = memchr(start, '\n', lines->size_B - lines->at_B);
    if (!end)
        return true; /* what is left was being written when the process died */
    lines->at_B += (size_t)(end - start) + 1;
    r->file = lines->name;
    r->line = ++lines->number;
    *out = cJSON_ParseWithLength(start, (size_t)(end - start));
    return *out || replay_fail(r, "is no JSON");
}

static bool
holds(const char *line, size_t size_B, const char *text)
{
    const size_t text_B = strlen(text);
    for (size_t i = 0; i + text_B <= size_B; i++)
        if (line[i] == text[0] && memcmp(line + i, text, text_B) == 0)
            return true;
    return false;
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
        if (!end || !holds(start, size_B, text)) {
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
