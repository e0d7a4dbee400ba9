/* SPDX-License-Identifier: MIT */
/* Looking up commands in the generated table.
 */
#include "icd/dispatch.h"

#include "icd/extensions.h"
#include "object/device.h"
#include "object/instance.h"
#include "util/compiler.h"

#include "rp_entrypoints.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RP_NOT_CORE UINT8_MAX

enum rp_level {
    RP_LEVEL_GLOBAL,
    RP_LEVEL_INSTANCE,
    RP_LEVEL_PHYSICAL_DEVICE,
    RP_LEVEL_DEVICE,
};

struct rp_proc {
    const char *name;
    PFN_vkVoidFunction function;
    enum rp_level level;
    uint8_t core_minor; /* of 1.x, or RP_NOT_CORE */
    uint8_t extension_count;
    enum rp_extension extensions[3]; /* each of which brings it */
};

#include "rp_dispatch_table.h"

static int
compare_name(const void *name, const void *proc)
{
    return strcmp(name, ((const struct rp_proc *)proc)->name);
}

static const struct rp_proc *
find_proc(const char *name)
{
    return bsearch(name, proc_table, RP_ARRAY_SIZE(proc_table), sizeof(proc_table[0]),
                   compare_name);
}

static bool
is_core(const struct rp_proc *proc, const struct rp_instance *instance)
{
    return proc->core_minor != RP_NOT_CORE &&
           proc->core_minor <= VK_API_VERSION_MINOR(instance->api_version);
}

static bool
has_extension_of(const struct rp_proc *proc, const struct rp_extension_set *set)
{
    for (uint32_t i = 0; i < proc->extension_count; i++) {
        if (rp_extension_set_has(set, proc->extensions[i]))
            return true;
    }
    return false;
}

static bool
instance_has(const struct rp_instance *instance, const struct rp_proc *proc)
{
    if (is_core(proc, instance) || has_extension_of(proc, &instance->extensions))
        return true;
    if (proc->level != RP_LEVEL_PHYSICAL_DEVICE && proc->level != RP_LEVEL_DEVICE)
        return false;
    return has_extension_of(proc, &instance->physical_device.extensions);
}

PFN_vkVoidFunction
rp_lookup_global(const char *name)
{
    const struct rp_proc *proc = find_proc(name);
    return proc && proc->level == RP_LEVEL_GLOBAL ? proc->function : NULL;
}

PFN_vkVoidFunction
rp_lookup_instance(const struct rp_instance *instance, const char *name)
{
    const struct rp_proc *proc = find_proc(name);
    if (!proc || proc->level == RP_LEVEL_GLOBAL)
        return NULL;
    return instance_has(instance, proc) ? proc->function : NULL;
}

PFN_vkVoidFunction
rp_lookup_physical_device(const char *name)
{
    const struct rp_proc *proc = find_proc(name);
    return proc && proc->level == RP_LEVEL_PHYSICAL_DEVICE ? proc->function : NULL;
}

PFN_vkVoidFunction
rp_lookup_device(const struct rp_device *dev, const char *name)
{
    const struct rp_instance *instance = dev->physical_device->instance;
    const struct rp_proc *proc = find_proc(name);
    if (!proc || proc->level != RP_LEVEL_DEVICE)
        return NULL;
    if (is_core(proc, instance) || has_extension_of(proc, &dev->extensions) ||
        has_extension_of(proc, &instance->extensions))
        return proc->function;
    return NULL;
}
