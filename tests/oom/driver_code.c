/* SPDX-License-Identifier: MIT */
#include "driver_code.h"

#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

static atomic_uintptr_t first_address;
static atomic_uintptr_t last_address;

static int
visit_file(struct dl_phdr_info *info, size_t size_B, void *data)
{
    if (!strstr(info->dlpi_name, "libvulkan_reelpipe"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X))
            continue;
        const uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        atomic_store(&last_address, start + info->dlpi_phdr[i].p_memsz);
        atomic_store(&first_address, start);
    }
    return 1;
}

void
driver_code_find(void)
{
    if (!atomic_load(&first_address))
        dl_iterate_phdr(visit_file, NULL);
}

bool
driver_code_has(const void *address)
{
    const uintptr_t first = atomic_load(&first_address);
    return first && (uintptr_t)address >= first && (uintptr_t)address < atomic_load(&last_address);
}
