/* SPDX-License-Identifier: MIT */
/* What the loader looks at: variables, manifests, privileges. Where a device is not seen, the
 * reason is here.
 */
#include "environment.h"
#include "info.h"
#include "system.h"

#include "platform/module.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    FILE *file = fopen(path, "rb");
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
    const char *name = info_file_name(manifest);
    if (!library)
        return false;
    /* A name without a folder is searched for; a relative path is from the manifest's folder. */
    if (!info_path_is_absolute(library) && info_file_name(library) != library)
        (void)snprintf(out, size_B, "%.*s%s", (int)(name - manifest), manifest, library);
    else
        (void)snprintf(out, size_B, "%s", library);
    return true;
}

/* What keeps the library from being opened; "" when nothing does. */
static void
library_problem(const char *library, char out[static INFO_MESSAGE_CHARS])
{
    out[0] = '\0';
    FILE *file = info_file_name(library) != library ? fopen(library, "rb") : NULL;
    if (!file && info_file_name(library) != library) {
        (void)snprintf(out, INFO_MESSAGE_CHARS, "%s",
                       errno == EACCES ? "not readable" : "not there");
        return;
    }
    if (file)
        (void)fclose(file);
    void *module = rp_module_open(library);
    if (module)
        rp_module_close(module);
    else
        rp_module_error(out, INFO_MESSAGE_CHARS);
}

static void
add_manifest(cJSON *array, const char *path)
{
    char library[4096];
    char of_library[INFO_MESSAGE_CHARS];
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
        library_problem(library, of_library);
        problem = of_library[0] ? of_library : NULL;
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

struct folder {
    const char *path;
    cJSON *array;
};

static void
add_file(void *ctx, const char *name)
{
    const struct folder *folder = ctx;
    char path[4096];
    if (!is_our_manifest(name))
        return;
    (void)snprintf(path, sizeof(path), "%s/%s", folder->path, name);
    add_manifest(folder->array, path);
}

/* A manifest, or those of a folder. */
static void
add_place(void *ctx, const char *path)
{
    struct folder folder = {.path = path, .array = ctx};
    if (is_our_manifest(info_file_name(path)))
        add_manifest(ctx, path);
    else
        info_each_file(path, add_file, &folder);
}

/* A list like VK_DRIVER_FILES: files and folders. */
static void
add_list(cJSON *array, const char *list)
{
    char *copy = list ? strdup(list) : NULL;
    char *rest = NULL;

    for (char *path = copy ? strtok_r(copy, info_list_separators, &rest) : NULL; path;
         path = strtok_r(NULL, info_list_separators, &rest))
        add_place(array, path);
    free(copy);
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
    cJSON_AddBoolToObject(node, "elevated_privileges", info_is_elevated());

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
    info_each_place(add_place, manifests);
    return node;
}
