/* SPDX-License-Identifier: MIT */
/* What the loader looks at: variables, manifests, privileges. Where a device is not seen, the
 * reason is here.
 */
#include "environment.h"
#include "info.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define MANIFEST_LIMIT_B 65536

static const char *const variables[] = {
    "VK_DRIVER_FILES",
    "VK_ADD_DRIVER_FILES",
    "VK_ICD_FILENAMES",
    "VK_LOADER_DRIVERS_SELECT",
    "VK_LOADER_DRIVERS_DISABLE",
    "VK_LOADER_LAYERS_ENABLE",
    "VK_LOADER_DEVICE_SELECT",
    "VK_INSTANCE_LAYERS",
    "MESA_VK_DEVICE_SELECT",
    "XDG_DATA_HOME",
    "XDG_DATA_DIRS",
};

static char *
read_file(const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return NULL;
    char *text = calloc(1, MANIFEST_LIMIT_B + 1);
    if (text && fread(text, 1, MANIFEST_LIMIT_B, file) == 0)
        text[0] = '\0';
    (void)fclose(file);
    return text;
}

/* The library a manifest names, as the loader would open it; false when there is none. */
static bool
manifest_library(const cJSON *json, const char *manifest, char *out, size_t size_B)
{
    const cJSON *icd = cJSON_GetObjectItem(json, "ICD");
    const char *library = cJSON_GetStringValue(cJSON_GetObjectItem(icd, "library_path"));
    const char *slash = strrchr(manifest, '/');
    if (!library)
        return false;
    /* A name without a slash is searched for; a relative path is from the manifest's folder. */
    if (library[0] != '/' && strchr(library, '/') && slash)
        (void)snprintf(out, size_B, "%.*s/%s", (int)(slash - manifest), manifest, library);
    else
        (void)snprintf(out, size_B, "%s", library);
    return true;
}

static const char *
library_problem(const char *library)
{
    if (strchr(library, '/') && access(library, R_OK) != 0)
        return errno == EACCES ? "not readable" : "not there";
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    if (!handle)
        return dlerror();
    dlclose(handle);
    return NULL;
}

static void
add_manifest(cJSON *array, const char *path)
{
    char library[4096];
    const char *problem = NULL;

    char *text = read_file(path);
    cJSON *json = text ? cJSON_Parse(text) : NULL;
    cJSON *node = cJSON_CreateObject();
    cJSON_AddStringToObject(node, "manifest", path);
    if (!text) {
        problem = strerror(errno);
    } else if (!json) {
        problem = "not JSON";
    } else if (manifest_library(json, path, library, sizeof(library))) {
        cJSON_AddStringToObject(node, "library", library);
        problem = library_problem(library);
    } else {
        problem = "names no library";
    }
    cJSON_AddStringToObject(node, "state", problem ? problem : "ok");
    cJSON_AddItemToArray(array, node);
    cJSON_Delete(json);
    free(text);
}

static bool
is_our_manifest(const char *name)
{
    const size_t length = strlen(name);
    return strncmp(name, "reelpipe_icd", 12) == 0 && length > 5 &&
           strcmp(name + length - 5, ".json") == 0;
}

static void
add_folder(cJSON *array, const char *folder)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return;
    for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        char path[4096];
        if (!is_our_manifest(entry->d_name))
            continue;
        (void)snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        add_manifest(array, path);
    }
    closedir(dir);
}

/* A list like VK_DRIVER_FILES: files and folders, between colons. */
static void
add_list(cJSON *array, const char *list)
{
    char *copy = list ? strdup(list) : NULL;
    char *rest = NULL;

    for (char *path = copy ? strtok_r(copy, ":", &rest) : NULL; path;
         path = strtok_r(NULL, ":", &rest)) {
        const char *slash = strrchr(path, '/');
        if (is_our_manifest(slash ? slash + 1 : path))
            add_manifest(array, path);
        else
            add_folder(array, path);
    }
    free(copy);
}

static void
add_standard_folders(cJSON *array)
{
    static const char *const fixed[] = {"/etc/vulkan/icd.d", "/usr/local/etc/vulkan/icd.d",
                                        "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d"};
    const char *home = getenv("HOME");
    char folder[4096];

    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
        add_folder(array, fixed[i]);
    (void)snprintf(folder, sizeof(folder), "%s/vulkan/icd.d", REELPIPE_DATADIR);
    bool is_known = false;
    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
        is_known |= strcmp(folder, fixed[i]) == 0;
    if (!is_known)
        add_folder(array, folder);
    if (home) {
        (void)snprintf(folder, sizeof(folder), "%s/.local/share/vulkan/icd.d", home);
        add_folder(array, folder);
    }
}

/* Where it is set. */
static void
add_variable(cJSON *set, const char *name)
{
    if (getenv(name))
        cJSON_AddStringToObject(set, name, getenv(name));
}

cJSON *
info_loader(const struct info_vulkan *vk)
{
    cJSON *node = cJSON_CreateObject();
    uint32_t version = 0;
    char text[32];

    if (vk->EnumerateInstanceVersion && vk->EnumerateInstanceVersion(&version) == VK_SUCCESS) {
        (void)snprintf(text, sizeof(text), "%u.%u.%u", VK_API_VERSION_MAJOR(version),
                       VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version));
        cJSON_AddStringToObject(node, "version", text);
    }
    cJSON_AddNumberToObject(node, "devices", vk->device_count);
    if (vk->device)
        cJSON_AddNumberToObject(node, "reelpipe_is_device", vk->device_index);
    cJSON_AddBoolToObject(node, "elevated_privileges", getauxval(AT_SECURE) != 0);

    cJSON *set = cJSON_AddObjectToObject(node, "variables");
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
        add_variable(set, variables[i]);
    for (uint32_t i = 0; i < info_variable_count; i++)
        if (info_variables[i].is_of_driver)
            add_variable(set, info_variables[i].name);

    cJSON *manifests = cJSON_AddArrayToObject(node, "manifests");
    add_list(manifests, getenv("VK_DRIVER_FILES"));
    add_list(manifests, getenv("VK_ICD_FILENAMES"));
    add_list(manifests, getenv("VK_ADD_DRIVER_FILES"));
    add_standard_folders(manifests);
    return node;
}
