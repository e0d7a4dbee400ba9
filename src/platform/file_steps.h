/* SPDX-License-Identifier: MIT */
/* What file.c wants of the system, for the files of this folder.
 */
#ifndef RP_PLATFORM_FILE_STEPS_H
#define RP_PLATFORM_FILE_STEPS_H

#include <stdbool.h>
#include <stddef.h>

/* What divides a path: the character, or either of them. */
extern const char rp_path_separators[];

/* For appending; is_new: it must not be there yet. A negative number: refused. */
int rp_file_open(const char *path, bool is_new);

/* An empty folder for the user alone, of a name that begins as wanted and that nobody else has. */
bool rp_folder_create_unique(const char *wanted, int wanted_length, char *out, size_t size_B);

enum rp_folder_naming {
    RP_FOLDER_NAMED,
    RP_FOLDER_NAME_TAKEN, /* somebody else has it, who keeps it */
    RP_FOLDER_NAME_REFUSED,
};

/* Gives a folder with something in it this name. Only an empty folder gives way to it, so nothing
 * of anybody else's is replaced, and a folder that was just named so is not. */
enum rp_folder_naming rp_folder_name(const char *folder, const char *name);

/* A folder with nothing but perhaps this file in it. */
void rp_folder_remove(const char *folder, const char *file);

#endif
