/* SPDX-License-Identifier: MIT */
/* The tree for people: keys in a column, lists wrapped.
 */
#include "info.h"

#include <stdio.h>
#include <string.h>

#define LINE_CHARS 96
#define KEY_CHARS 30

static void
print_key(const char *key, int depth)
{
    char text[KEY_CHARS * 2];
    (void)snprintf(text, sizeof(text), "%s", key);
    /* Our own keys are words; names of variables and formats stay as they are. */
    if (key[0] >= 'a' && key[0] <= 'z')
        for (char *c = text; *c; c++)
            if (*c == '_')
                *c = ' ';
    printf("%*s%-*s ", 2 * depth, "", KEY_CHARS - 2 * depth, text);
}

static bool
is_list_of_strings(const cJSON *node)
{
    return cJSON_IsArray(node) && (!node->child || cJSON_IsString(node->child));
}

static void
print_list(const cJSON *list)
{
    size_t column = KEY_CHARS + 1;
    const cJSON *item;

    if (!list->child)
        printf("-");
    cJSON_ArrayForEach(item, list)
    {
        const size_t length = strlen(item->valuestring) + 2;
        if (column + length > LINE_CHARS && item != list->child) {
            printf("\n%*s", KEY_CHARS + 1, "");
            column = KEY_CHARS + 1;
        }
        printf("%s%s", item->valuestring, item->next ? ", " : "");
        column += length;
    }
    printf("\n");
}

static void
print_value(const cJSON *node)
{
    if (cJSON_IsBool(node))
        printf("%s\n", cJSON_IsTrue(node) ? "yes" : "no");
    else if (cJSON_IsNumber(node))
        printf("%.15g\n", node->valuedouble);
    else
        printf("%s\n", node->valuestring ? node->valuestring : "-");
}

static void
print_node(const cJSON *node, int depth)
{
    const cJSON *child;

    cJSON_ArrayForEach(child, node)
    {
        if (cJSON_IsObject(child) && !child->string) {
            print_node(child, depth); /* an element of a list of objects */
            continue;
        }
        if (cJSON_IsObject(child) || (cJSON_IsArray(child) && !is_list_of_strings(child))) {
            if (child->child)
                printf("%s%*s%s\n", depth ? "" : "\n", 2 * depth, "", child->string);
            print_node(child, depth + 1);
            continue;
        }
        print_key(child->string, depth);
        if (is_list_of_strings(child))
            print_list(child);
        else
            print_value(child);
    }
}

void
info_print(const cJSON *tree)
{
    print_node(tree, 0);
}
