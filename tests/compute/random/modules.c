/* SPDX-License-Identifier: MIT */
#include "modules.h"

#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

#define MAX_WORDS (1u << 16)
#define ADDED_WORDS 16384u

static char folder[64];

static int
run_program(char *const *arguments)
{
    int status = -1;
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        (void)!freopen("/dev/null", "w", stderr);
        (void)dup2(2, 1);
        execvp(arguments[0], arguments);
        _exit(127);
    }
    REQUIRE(waitpid(child, &status, 0) == child);
    return status;
}

static void
path_of(char out[96], const char *name)
{
    (void)snprintf(out, 96, "%s/%s", folder, name);
}

uint32_t *
module_read(const char *path, size_t *count_out)
{
    FILE *file = fopen(path, "rb");
    REQUIRE(file);
    uint32_t *words = calloc(MAX_WORDS, 4);
    REQUIRE(words);
    *count_out = fread(words, 4, MAX_WORDS, file);
    (void)fclose(file);
    return words;
}

uint32_t *
module_make(const struct kernel *k, size_t *count_out)
{
    char glsl[96], spv[96];
    path_of(glsl, "random.comp");
    path_of(spv, "random.spv");
    FILE *file = fopen(glsl, "w");
    REQUIRE(file);
    kernel_print(k, file);
    (void)fclose(file);
    char *const arguments[] = {GLSLANG, "--quiet", "-V", "--target-env", "vulkan1.3", "-o",
                               spv,     glsl,      NULL};
    if (run_program(arguments) != 0)
        return NULL;
    uint32_t *words = module_read(spv, count_out);
    if (*count_out >= MAX_WORDS - ADDED_WORDS)
        *count_out = 0;
    return words;
}

/* Does the instruction's result depend on how it is rounded? */
static bool
rounds(uint32_t op)
{
    switch (op) {
    case 127: /* OpFNegate */
    case 129: /* OpFAdd */
    case 131: /* OpFSub */
    case 133: /* OpFMul */
    case 136: /* OpFDiv */
    case 142: /* OpVectorTimesScalar */
    case 143: /* OpMatrixTimesScalar */
        return true;
    default:
        return false;
    }
}

/* Decorates floating-point arithmetic of a module with NoContraction: spirv-opt is free to multiply
 * by reciprocals else. */
static bool
keep_arithmetic(const char *path)
{
    enum { OP_DECORATE = 71, OP_MEMBER_DECORATE = 72, NO_CONTRACTION = 42 };
    size_t count, first = 5;
    uint32_t *words = module_read(path, &count);
    FILE *file = fopen(path, "wb");
    REQUIRE(file);
    while (first < count && (words[first] & 0xffff) != OP_DECORATE &&
           (words[first] & 0xffff) != OP_MEMBER_DECORATE && words[first] >> 16)
        first += words[first] >> 16;
    size_t written = fwrite(words, 4, first, file);
    for (size_t at = first; at < count && words[at] >> 16; at += words[at] >> 16) {
        const uint32_t decoration[] = {3u << 16 | OP_DECORATE, words[at + 2], NO_CONTRACTION};
        if (rounds(words[at] & 0xffff))
            written += fwrite(decoration, 4, 3, file) == 3 ? 0 : count;
    }
    written += fwrite(words + first, 4, count - first, file);
    free(words);
    return fclose(file) == 0 && written == count;
}

/* Not the passes that move code in or out of loops: those of SPIRV-Tools 2023 take the load of a
 * loop's counter out, too. */
uint32_t *
module_rewrite(uint64_t seed, size_t *count_out, char *passes, size_t passes_B)
{
    static char *const all[] = {"-O",
                                "-Os",
                                "--inline-entry-points-exhaustive",
                                "--eliminate-dead-branches",
                                "--eliminate-dead-code-aggressive",
                                "--merge-return",
                                "--ssa-rewrite",
                                "--scalar-replacement=100",
                                "--loop-unroll",
                                "--loop-unroll-partial=3",
                                "--if-conversion",
                                "--simplify-instructions",
                                "--convert-local-access-chains",
                                "--eliminate-local-single-block",
                                "--eliminate-local-single-store",
                                "--local-redundancy-elimination",
                                "--redundancy-elimination",
                                "--combine-access-chains",
                                "--copy-propagate-arrays",
                                "--vector-dce",
                                "--reduce-load-size",
                                "--private-to-local",
                                "--wrap-opkill",
                                "--ccp",
                                "--strength-reduction",
                                "--code-sink",
                                "--cfg-cleanup",
                                "--workaround-1209",
                                "--unify-const",
                                "--eliminate-dead-inserts",
                                "--replace-invalid-opcode",
                                "--eliminate-dead-members",
                                "--block-merge",
                                "--loop-unswitch",
                                "--fold-spec-const-op-composite",
                                "--set-spec-const-default-value=9:1"};
    char *arguments[16] = {SPIRV_OPT};
    char from[96], to[96];
    uint64_t state = seed + 77;
    uint32_t count = 1;
    path_of(from, "random.spv");
    path_of(to, "rewritten.spv");
    passes[0] = 0;
    for (uint32_t i = 1 + test_random(&state) % 8; i-- > 0;) {
        arguments[count] = all[test_random(&state) % (sizeof(all) / sizeof(all[0]))];
        (void)strncat(passes, " ", passes_B - strlen(passes) - 1);
        (void)strncat(passes, arguments[count++], passes_B - strlen(passes) - 1);
    }
    arguments[count++] = from;
    arguments[count++] = "-o";
    arguments[count++] = to;
    if (!SPIRV_OPT[0] || !keep_arithmetic(from) || run_program(arguments) != 0)
        return NULL;
    uint32_t *words = module_read(to, count_out);
    if (*count_out < MAX_WORDS)
        return words;
    free(words);
    return NULL;
}

bool
module_is_valid(void)
{
    char path[96];
    path_of(path, "random.spv");
    char *const arguments[] = {
        SPIRV_VAL, "--target-env", "vulkan1.3", "--scalar-block-layout", path, NULL};
    return !SPIRV_VAL[0] || run_program(arguments) == 0;
}

void
modules_init(void)
{
    (void)snprintf(folder, sizeof(folder), "%s", "random-XXXXXX");
    REQUIRE(mkdtemp(folder));
}

void
modules_finish(void)
{
    static const char *const files[] = {"random.comp", "random.spv", "rewritten.spv"};
    for (uint32_t i = 0; i < 3; i++) {
        char path[96];
        path_of(path, files[i]);
        (void)unlink(path);
    }
    (void)rmdir(folder);
}
