/* SPDX-License-Identifier: MIT */
/* Folders and files that the driver writes.
 */
#ifndef RP_PLATFORM_FILE_H
#define RP_PLATFORM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A new folder that nobody but the user may enter (mode 0700, or an access list), with a first file
 * of this name, which is returned as rp_file_create() does. The folder is the wanted one, or else
 * "wanted.1", "wanted.2" and so on: its name goes to out. An empty one that is there already is
 * replaced. Several processes, or threads, that want the same at once get a folder each. */
int rp_folder_create(const char *wanted, const char *first_file, char *out, size_t size_B);

/* A new file in a folder, for the user alone (mode 0600, or by the folder's access list). A
 * negative number: refused. */
int rp_file_create(const char *folder, const char *name);

/* All of it, at the end; false when the disk is full or broken. */
bool rp_file_append(int file, const void *data, size_t size_B);

void rp_file_close(int file); /* accepts a negative number */

#endif
