/* SPDX-License-Identifier: MIT */
/* reelpipe-info [--json] [--formats] [--check]: what the device can do, and why it may not be seen.
 */
#include "check.h"
#include "environment.h"
#include "info.h"
#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: reelpipe-info [options]\n"
    "Shows what the Reelpipe device can do, as the Vulkan loader presents it.\n"
    "\n"
    "  --json      all of it, for programs\n"
    "  --formats   every format with its features, too\n"
    "  --check     try it: copy, dispatch, encode, decode, each compared (2 seconds)\n"
    "  --help      this, and the environment variables of Reelpipe\n";

struct options {
    bool is_json;
    bool has_formats;
    bool is_check;
};

static bool
parse(int argc, char **argv, struct options *out)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            out->is_json = out->has_formats = true;
        else if (strcmp(argv[i], "--formats") == 0)
            out->has_formats = true;
        else if (strcmp(argv[i], "--check") == 0)
            out->is_check = true;
        else
            return false;
    }
    return true;
}

static cJSON *
collect(const struct info_vulkan *vk, const char *problem, const struct options *options)
{
    cJSON *tree = cJSON_CreateObject();

    if (problem)
        cJSON_AddStringToObject(tree, "problem", problem);
    if (vk->device) {
        cJSON_AddItemToObject(tree, "device", info_device(vk));
        cJSON_AddItemToObject(tree, "queue families", info_queues(vk));
        cJSON_AddItemToObject(tree, "video", info_video(vk));
        cJSON *more = cJSON_AddObjectToObject(tree, "api");
        cJSON_AddItemToObject(more, "extensions", info_extensions(vk));
        cJSON_AddItemToObject(more, "features", info_features(vk));
        if (options->has_formats)
            cJSON_AddItemToObject(tree, "formats", info_formats(vk));
    }
    cJSON_AddItemToObject(tree, "loader", info_loader(vk));
    cJSON_AddItemToObject(tree, "layer", info_layer(vk));
    return tree;
}

static void
print_advice(void)
{
    printf("\nA driver is seen when a manifest (reelpipe_icd.*.json) is in one of the loader's\n"
           "folders, or named by VK_ADD_DRIVER_FILES; VK_DRIVER_FILES (or VK_ICD_FILENAMES)\n"
           "hides all others. Programs with elevated privileges ignore these variables.\n"
           "VK_LOADER_DEBUG=error,driver tells what the loader does.\n");
}

/* --check; problem: why there is no device, or NULL. */
static bool
check(const struct info_vulkan *vk, const char *problem)
{
    if (!problem)
        return check_all(vk);
    printf("%s\n", problem);
    print_advice();
    return false;
}

int
main(int argc, char **argv)
{
    struct options options = {0};
    struct info_vulkan vk;

    if (argc == 3 && strcmp(argv[1], INFO_PART_OPTION) == 0)
        return check_part(argv[2]) ? 0 : 2;
    if (!parse(argc, argv, &options)) {
        const bool is_help = argc == 2 && strcmp(argv[1], "--help") == 0;
        (void)fputs(usage, is_help ? stdout : stderr);
        if (is_help)
            info_print_variables();
        return is_help ? 0 : 2;
    }

    const char *problem = info_vulkan_open(&vk);
    if (options.is_check) {
        const bool is_well = check(&vk, problem);
        info_vulkan_close(&vk);
        return is_well ? 0 : 1;
    }
    cJSON *tree = collect(&vk, problem, &options);
    if (options.is_json) {
        char *text = cJSON_Print(tree);
        (void)puts(text ? text : "{}");
        cJSON_free(text);
    } else {
        info_print(tree);
        if (problem)
            print_advice();
    }
    cJSON_Delete(tree);
    info_vulkan_close(&vk);
    return problem ? 1 : 0;
}
