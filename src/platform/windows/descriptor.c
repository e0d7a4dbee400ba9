/* SPDX-License-Identifier: MIT */
/* Windows shares memory and states by handles, which the driver does not: there are no descriptors.
 */
#include "platform/descriptor.h"

#include <stddef.h>

bool
rp_descriptors_exist(void)
{
    return false;
}

int
rp_memfd_create(const char *name)
{
    (void)name;
    return -1;
}

bool
rp_memfd_seal(int memfd, uint64_t size_B, bool may_change)
{
    (void)memfd;
    (void)size_B;
    (void)may_change;
    return false;
}

bool
rp_memfd_is_sealed(int fd)
{
    (void)fd;
    return false;
}

uint64_t
rp_descriptor_size_B(int fd)
{
    (void)fd;
    return 0;
}

bool
rp_descriptor_identify(int fd, uint64_t *out)
{
    (void)fd;
    (void)out;
    return false;
}

bool
rp_descriptor_is_readable(int fd)
{
    (void)fd;
    return false;
}

void *
rp_descriptor_map(int fd, uint64_t size_B)
{
    (void)fd;
    (void)size_B;
    return NULL;
}

int
rp_descriptor_duplicate(int fd)
{
    (void)fd;
    return -1;
}

void
rp_descriptor_close(int fd)
{
    (void)fd;
}
