/* SPDX-License-Identifier: MIT */
/* Parts of the tree as GLSL.
 */
#ifndef RP_TESTS_COMPUTE_RANDOM_PRINT_H
#define RP_TESTS_COMPUTE_RANDOM_PRINT_H

#include "tree.h"

struct type_name {
    char text[16];
};

struct type_name name_of(struct type type);
struct type_name field_name_of(const struct shape *shape, const struct field *field);
struct type_name shape_name_of(const struct shape *shape);
void print_expr(const struct expr *e, FILE *out);
void print_ref(const struct ref *ref, FILE *out);

#endif
