/* SPDX-License-Identifier: MIT */
/* The layer's commands by name.
 */
#include "icd/layer/commands.h"

#include "util/compiler.h"

#include "rp_layer_calls.h"

#include <stdlib.h>
#include <string.h>

#include "rp_layer_table.h"

static int
compare_name(const void *name, const void *row)
{
    return strcmp(name, ((const struct rp_layer_command *)row)->name);
}

const struct rp_layer_command *
rp_layer_command_find(const char *name)
{
    return bsearch(name, table, RP_ARRAY_SIZE(table), sizeof(table[0]), compare_name);
}
