/* SPDX-License-Identifier: MIT */
/* All commands, from the loader.
 */
#include "vk.h"

#include "loader.h"

void
vk_open(void)
{
    vk_functions_load_global(loader_open());
}
