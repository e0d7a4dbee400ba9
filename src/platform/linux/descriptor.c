/* SPDX-License-Identifier: MIT */
/* memfds of Linux, and what POSIX does with descriptors.
 */
#include "platform/descriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool
rp_descriptors_exist(void)
{
    return true;
}

int
rp_memfd_create(const char *name)
{
    return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

bool
rp_memfd_seal(int memfd, uint64_t size_B, bool may_change)
{
    const int seals = may_change ? F_SEAL_SHRINK : F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    return ftruncate(memfd, (off_t)size_B) == 0 && fcntl(memfd, F_ADD_SEALS, seals) == 0;
}

bool
rp_memfd_is_sealed(int fd)
{
    const int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & F_SEAL_SHRINK);
}

uint64_t
rp_descriptor_size_B(int fd)
{
    const off_t end = lseek(fd, 0, SEEK_END);
    return end < 0 ? 0 : (uint64_t)end;
}

bool
rp_descriptor_identify(int fd, uint64_t *out)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return false;
    *out = ((uint64_t)st.st_dev << 40) ^ st.st_ino;
    return true;
}

bool
rp_descriptor_is_readable(int fd)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    return poll(&wait, 1, 0) > 0;
}

void *
rp_descriptor_map(int fd, uint64_t size_B)
{
    void *pages = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

int
rp_descriptor_duplicate(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

void
rp_descriptor_close(int fd)
{
    if (fd >= 0)
        close(fd);
}
