/* SPDX-License-Identifier: MIT */
/* /proc/self/cgroup and the files of control groups.
 */
#include "platform/cgroup.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAX_PATH_B 1024

/* Whether a list such as "cpu,cpuacct" names controller; "" is an element of "" alone. */
static bool
is_listed(const char *list, const char *controller)
{
    const size_t length = strlen(controller);
    for (const char *item = list;; item++) {
        const size_t item_length = strcspn(item, ",");
        if (item_length == length && strncmp(item, controller, length) == 0)
            return true;
        item += item_length;
        if (*item == '\0')
            return false;
    }
}

/* The process' group in a hierarchy, as a path below its root; "" is the root. */
static void
find_group(const char *controller, char *out, size_t size_B)
{
    char line[MAX_PATH_B];
    FILE *file = fopen("/proc/self/cgroup", "re");
    out[0] = '\0';
    while (file && fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        if (!is_listed(controllers + 1, controller))
            continue;
        if (strcmp(path, "/") != 0 && strlen(path) < size_B)
            memcpy(out, path, strlen(path) + 1);
        break;
    }
    if (file)
        (void)fclose(file);
}

void
rp_cgroup_visit(const char *root, const char *controller,
                void (*visit)(const char *folder, void *arg), void *arg)
{
    char group[MAX_PATH_B];
    char folder[2 * MAX_PATH_B];
    find_group(controller, group, sizeof(group));
    for (;;) {
        (void)snprintf(folder, sizeof(folder), "%s%s", root, group);
        visit(folder, arg);
        char *last = strrchr(group, '/');
        if (!last)
            return;
        *last = '\0';
    }
}

static FILE *
open_file(const char *folder, const char *name)
{
    char path[2 * MAX_PATH_B + 64];
    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    return fopen(path, "re");
}

bool
rp_cgroup_read(const char *folder, const char *name, uint32_t count, uint64_t *out)
{
    FILE *file = open_file(folder, name);
    if (!file)
        return false;

    uint32_t found = 0;
    int64_t value;
    while (found < count && fscanf(file, "%" SCNd64, &value) == 1 && value >= 0)
        out[found++] = (uint64_t)value;
    (void)fclose(file);
    return found == count;
}

uint64_t
rp_cgroup_read_key(const char *folder, const char *name, const char *key)
{
    FILE *file = open_file(folder, name);
    char word[64];
    uint64_t value = 0;
    bool is_found = false;
    while (file && !is_found && fscanf(file, "%63s %" SCNu64, word, &value) == 2)
        is_found = strcmp(word, key) == 0;
    if (file)
        (void)fclose(file);
    return is_found ? value : 0;
}
