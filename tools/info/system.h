/* SPDX-License-Identifier: MIT */
/* What reelpipe-info wants of the operating system beyond src/platform/: linux/ and windows/, of
 * which the build takes one.
 */
#ifndef RP_TOOLS_INFO_SYSTEM_H
#define RP_TOOLS_INFO_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INFO_MESSAGE_CHARS 512
#define INFO_PART_TIMEOUT_S 30
#define INFO_PART_OPTION "--part" /* of our own program: runs that part alone */

typedef void (*info_visit)(void *ctx, const char *path);

/* What is between the paths of a variable of the loader's. */
extern const char info_list_separators[];

/* The path without its folders: a part of it. */
const char *info_file_name(const char *path);
bool info_path_is_absolute(const char *path);

/* Each file of a folder, by its name; none when there is no such folder. */
void info_each_file(const char *folder, info_visit visit, void *ctx);

/* Each folder or manifest that the loader looks at unasked. */
void info_each_place(info_visit visit, void *ctx);

/* Whether the loader ignores variables of the environment. */
bool info_is_elevated(void);

/* The variable is no more in the environment of this process. */
void info_forget_variable(const char *name);

/* Runs a part in a process of its own: run, or this program with INFO_PART_OPTION and its number.
 * False when it says something is wrong, crashes, or takes longer than INFO_PART_TIMEOUT_S: message
 * tells. */
bool info_child_run(uint32_t number, void (*run)(void), char message[static INFO_MESSAGE_CHARS]);

#endif
