/* SPDX-License-Identifier: MIT */
/* Finds the note that the linker left in our own file.
 */
#include "platform/module.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

struct search {
    uint8_t *out;
    size_t size_B;
    size_t found_B;
};

/* Looks in one segment of notes. */
static size_t
find_in_notes(const uint8_t *notes, size_t size_B, uint8_t *out, size_t out_B)
{
    while (size_B >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, notes, sizeof(note));
        const size_t name_B = (note.n_namesz + 3u) & ~3u;
        const size_t total_B = sizeof(note) + name_B + ((note.n_descsz + 3u) & ~3u);
        if (total_B > size_B)
            return 0;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
            memcmp(notes + sizeof(note), ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) == 0) {
            const size_t id_B = RP_MIN(note.n_descsz, out_B);
            memcpy(out, notes + sizeof(note) + name_B, id_B);
            return id_B;
        }
        notes += total_B;
        size_B -= total_B;
    }
    return 0;
}

/* Called for each file of the process; ours is the one that this function lies in. */
static int
visit_file(struct dl_phdr_info *info, size_t info_B, void *data)
{
    struct search *search = data;
    const uintptr_t here = (uintptr_t)visit_file;
    bool is_ours = false;

    for (int i = 0; i < info->dlpi_phnum; i++) {
        const uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        is_ours |= info->dlpi_phdr[i].p_type == PT_LOAD && here >= start &&
                   here - start < info->dlpi_phdr[i].p_memsz;
    }
    for (int i = 0; is_ours && i < info->dlpi_phnum && !search->found_B; i++) {
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            search->found_B =
                find_in_notes((const uint8_t *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
                              info->dlpi_phdr[i].p_memsz, search->out, search->size_B);
    }
    return is_ours;
}

size_t
rp_module_build_id(uint8_t *out, size_t size_B)
{
    struct search search = {.out = out, .size_B = size_B};
    (void)dl_iterate_phdr(visit_file, &search);
    return search.found_B;
}
