/* SPDX-License-Identifier: MIT */
/* LoadLibrary(), with the names that libraries of Linux have on Windows.
 */
#include "platform/module.h"

#include <stdio.h>
#include <string.h>
#include <windows.h>

#define NAME_B 256

/* The name of the DLL for "libavcodec.so.61", with "lib" in front of it or without; another name,
 * such as a path, stays as it is. */
static void
dll_name(const char *soname, bool has_prefix, char out[static NAME_B])
{
    const char *version = strstr(soname, ".so.");
    if (strncmp(soname, "lib", 3) != 0 || !version) {
        (void)snprintf(out, NAME_B, "%s", soname);
        return;
    }
    const char *name = has_prefix ? soname : soname + 3;
    (void)snprintf(out, NAME_B, "%.*s-%s.dll", (int)(version - name), name, version + 4);
}

/* LoadLibraryEx() of the DLL's name, and then of that with "lib" in front of it. */
static HMODULE
load(const char *soname, DWORD flags)
{
    char name[NAME_B];
    dll_name(soname, false, name);
    HMODULE module = LoadLibraryExA(name, NULL, flags);
    if (module)
        return module;
    dll_name(soname, true, name);
    return LoadLibraryExA(name, NULL, flags);
}

void *
rp_module_open(const char *soname)
{
    return load(soname, 0);
}

void
rp_module_error(char *out, size_t size_B)
{
    const DWORD error = GetLastError();
    (void)snprintf(out, size_B, "LoadLibrary: error %lu", error);
}

/* The headers of a file that is mapped, whose handle tells how in its lowest bits; NULL when it has
 * none. */
static const IMAGE_NT_HEADERS *
headers_of(HMODULE module)
{
    const uint8_t *base = (const uint8_t *)((uintptr_t)module & ~(uintptr_t)3);
    const IMAGE_DOS_HEADER *dos = (const IMAGE_DOS_HEADER *)base;
    if (dos->e_magic != IMAGE_DOS_SIGNATURE)
        return NULL;
    const IMAGE_NT_HEADERS *nt = (const IMAGE_NT_HEADERS *)(base + dos->e_lfanew);
    return nt->Signature == IMAGE_NT_SIGNATURE ? nt : NULL;
}

/* Looks in the libraries that the module imports from: GetProcAddress() does not. */
static FARPROC
symbol_needed(HMODULE module, const char *name)
{
    const IMAGE_NT_HEADERS *nt = headers_of(module);
    if (!nt)
        return NULL;
    const uint8_t *base = (const uint8_t *)module;
    const IMAGE_DATA_DIRECTORY *imports =
        &nt->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT];
    if (imports->Size == 0)
        return NULL;
    const IMAGE_IMPORT_DESCRIPTOR *import =
        (const IMAGE_IMPORT_DESCRIPTOR *)(base + imports->VirtualAddress);
    for (; import->Name; import++) {
        const HMODULE needed = GetModuleHandleA((const char *)base + import->Name);
        const FARPROC function = needed ? GetProcAddress(needed, name) : NULL;
        if (function)
            return function;
    }
    return NULL;
}

void *
rp_module_symbol(void *module, const char *name)
{
    FARPROC function = GetProcAddress(module, name);
    void *symbol;
    if (!function)
        function = symbol_needed(module, name);
    memcpy(&symbol, &function, sizeof(symbol));
    return symbol;
}

void
rp_module_close(void *module)
{
    (void)FreeLibrary(module);
}

/* Ours, by a place in it. */
static HMODULE
module_own(void)
{
    HMODULE own = NULL;
    (void)GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                                 GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                             (LPCSTR)(uintptr_t)module_own, &own);
    return own;
}

BOOL WINAPI DllMain(HINSTANCE own, DWORD reason, LPVOID reserved);

/* Called for the driver's own library: it is never unloaded, as an application may leak a device,
 * whose threads run in it. */
BOOL WINAPI
DllMain(HINSTANCE own, DWORD reason, LPVOID reserved)
{
    (void)reserved;
    if (reason == DLL_PROCESS_ATTACH)
        (void)GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                                     GET_MODULE_HANDLE_EX_FLAG_PIN,
                                 (LPCSTR)own, &own);
    return TRUE;
}

bool
rp_module_is_present(const char *soname)
{
    const HMODULE file = load(soname, LOAD_LIBRARY_AS_DATAFILE | LOAD_LIBRARY_AS_IMAGE_RESOURCE);
    if (!file)
        return false;
    const IMAGE_NT_HEADERS *own = headers_of(module_own());
    const IMAGE_NT_HEADERS *other = headers_of(file);
    const bool is_ours = own && other && own->FileHeader.Machine == other->FileHeader.Machine;
    (void)FreeLibrary(file);
    return is_ours;
}

/* What the linker writes for debuggers: "RSDS", and 16 bytes that are this build's alone. */
struct code_view {
    uint8_t signature[4];
    uint8_t id[16];
};

size_t
rp_module_build_id(uint8_t *out, size_t size_B)
{
    const HMODULE own = module_own();
    const IMAGE_NT_HEADERS *nt = own ? headers_of(own) : NULL;
    if (!nt)
        return 0;
    const uint8_t *base = (const uint8_t *)own;
    const IMAGE_DATA_DIRECTORY *all =
        &nt->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_DEBUG];
    const IMAGE_DEBUG_DIRECTORY *entry =
        (const IMAGE_DEBUG_DIRECTORY *)(base + all->VirtualAddress);
    for (size_t i = 0; i < all->Size / sizeof(*entry); i++) {
        if (entry[i].Type != IMAGE_DEBUG_TYPE_CODEVIEW ||
            entry[i].SizeOfData < sizeof(struct code_view))
            continue;
        const struct code_view *view = (const struct code_view *)(base + entry[i].AddressOfRawData);
        if (memcmp(view->signature, "RSDS", sizeof(view->signature)) != 0)
            continue;
        const size_t id_B = RP_MIN(size_B, sizeof(view->id));
        memcpy(out, view->id, id_B);
        return id_B;
    }
    return 0;
}
