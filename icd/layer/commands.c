/* SPDX-License-Identifier: MIT */
/* The layer's commands by name.
 */
#include "icd/layer/commands.h"

#include "util/compiler.h"

#include "rp_layer_calls.h"

#include <stdlib.h>
#include <string.h>

struct command {
    const char *name;
    PFN_vkVoidFunction function;
    bool is_device;
    bool is_lent;
};

#include "rp_layer_table.h"

static int
compare_name(const void *name, const void *row)
{
    return strcmp(name, ((const struct command *)row)->name);
}

PFN_vkVoidFunction
rp_layer_command_find(const char *name, bool *is_device, bool *is_lent)
{
    const struct command *row =
        bsearch(name, table, RP_ARRAY_SIZE(table), sizeof(table[0]), compare_name);
    if (!row)
        return NULL;
    *is_device = row->is_device;
    *is_lent = row->is_lent;
    return row->function;
}
