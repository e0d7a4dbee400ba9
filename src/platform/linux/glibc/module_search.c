/* SPDX-License-Identifier: MIT */
/* The dynamic linker's search, by hand: listing directories is a hundred times cheaper than
 * mapping libavcodec and its sixty dependencies. The run paths, LD_LIBRARY_PATH and the system's
 * directories are looked at (as the dynamic linker itself lists them: dlinfo RTLD_DI_SERINFO), then
 * ld.so.cache.
 */
#include "platform/module.h"

#include "platform/heap.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CACHE_PATH "/etc/ld.so.cache"
#define CACHE_MAGIC "glibc-ld.so.cache1.1"

/* glibc, sysdeps/generic/dl-cache.h: offsets count from the header. */
struct cache_header {
    char magic[sizeof(CACHE_MAGIC) - 1];
    uint32_t entry_count;
    uint32_t strings_B;
    uint32_t unused[5];
};

struct cache_entry {
    int32_t flags;
    uint32_t name_offset_B;
    uint32_t path_offset_B;
    uint32_t os_version;
    uint64_t hwcap;
};

/* Class, byte order and machine of an ELF header. */
struct elf_kind {
    unsigned char ident[EI_DATA + 1];
    uint16_t machine;
};

static bool
elf_kind_read(const void *header, size_t size_B, struct elf_kind *out)
{
    if (size_B < sizeof(ElfW(Ehdr)))
        return false;

    ElfW(Ehdr) ehdr;
    memcpy(&ehdr, header, sizeof(ehdr));
    if (memcmp(ehdr.e_ident, ELFMAG, SELFMAG) != 0)
        return false;

    memset(out, 0, sizeof(*out));
    memcpy(out->ident, ehdr.e_ident, sizeof(out->ident));
    out->machine = ehdr.e_machine;
    return true;
}

static bool
file_is_library(const char *path, const struct elf_kind *own)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;

    unsigned char header[sizeof(ElfW(Ehdr))];
    const ssize_t size_B = read(fd, header, sizeof(header));
    close(fd);

    struct elf_kind kind;
    return size_B > 0 && elf_kind_read(header, (size_t)size_B, &kind) &&
           memcmp(kind.ident, own->ident, sizeof(kind.ident)) == 0 && kind.machine == own->machine;
}

static bool
search_paths_have(struct link_map *self, const char *soname, const struct elf_kind *own)
{
    Dl_serinfo sizes;
    if (dlinfo(self, RTLD_DI_SERINFOSIZE, &sizes) != 0)
        return false;

    Dl_serinfo *paths = rp_heap_alloc(sizes.dls_size, _Alignof(max_align_t));
    if (!paths)
        return false;

    bool is_found = false;
    if (dlinfo(self, RTLD_DI_SERINFOSIZE, paths) == 0 &&
        dlinfo(self, RTLD_DI_SERINFO, paths) == 0) {
        for (unsigned i = 0; i < paths->dls_cnt && !is_found; i++) {
            char file[PATH_MAX];
            const int length =
                snprintf(file, sizeof(file), "%s/%s", paths->dls_serpath[i].dls_name, soname);
            is_found = length < (int)sizeof(file) && file_is_library(file, own);
        }
    }
    rp_heap_free(paths);
    return is_found;
}

/* The string at an offset, or NULL when it is not one that ends inside the cache. */
static const char *
cache_string(const char *cache, size_t cache_B, uint32_t offset_B)
{
    if (offset_B >= cache_B || !memchr(cache + offset_B, 0, cache_B - offset_B))
        return NULL;
    return cache + offset_B;
}

static bool
cache_has(const char *cache, size_t cache_B, const char *soname, const struct elf_kind *own)
{
    struct cache_header header;
    if (cache_B < sizeof(header))
        return false;
    memcpy(&header, cache, sizeof(header));

    for (uint32_t i = 0; i < header.entry_count; i++) {
        const size_t offset_B = sizeof(header) + i * sizeof(struct cache_entry);
        struct cache_entry entry;
        if (offset_B > cache_B || cache_B - offset_B < sizeof(entry))
            return false;
        memcpy(&entry, cache + offset_B, sizeof(entry));

        const char *name = cache_string(cache, cache_B, entry.name_offset_B);
        const char *path = cache_string(cache, cache_B, entry.path_offset_B);
        if (name && path && strcmp(name, soname) == 0 && file_is_library(path, own))
            return true;
    }
    return false;
}

static bool
linker_cache_has(const char *soname, const struct elf_kind *own)
{
    const int fd = open(CACHE_PATH, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;

    bool is_found = false;
    struct stat st;
    if (fstat(fd, &st) == 0 && st.st_size > 0) {
        const size_t size_B = (size_t)st.st_size;
        char *file = mmap(NULL, size_B, PROT_READ, MAP_PRIVATE, fd, 0);
        if (file != MAP_FAILED) {
            /* An older format may stand before it. */
            char *cache = memmem(file, size_B, CACHE_MAGIC, sizeof(CACHE_MAGIC) - 1);
            if (cache)
                is_found = cache_has(cache, size_B - (size_t)(cache - file), soname, own);
            munmap(file, size_B);
        }
    }
    close(fd);
    return is_found;
}

bool
rp_module_is_present(const char *soname)
{
    static const char anchor; /* an address inside this object */
    Dl_info info;
    void *self = NULL;
    struct elf_kind own;
    if (!dladdr1(&anchor, &info, &self, RTLD_DL_LINKMAP) || !self ||
        !elf_kind_read(info.dli_fbase, sizeof(ElfW(Ehdr)), &own))
        return false;
    return search_paths_have(self, soname, &own) || linker_cache_has(soname, &own);
}
