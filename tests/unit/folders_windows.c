/* SPDX-License-Identifier: MIT */
/* The folders of captures and profiles on Windows, for threads that want the same one, and beside
 * programs that hold what is new.
 */
#include "test.h"

#include "platform/clock.h"
#include "platform/file.h"
#include "platform/file_steps.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

#define THREADS 2u
#define ROUNDS 100u
#define NAME_B 128

static char work[NAME_B]; /* the folder in which a test makes others */

struct wish {
    const char *wanted;
    atomic_uint *ready_count; /* of the threads of this round */
    char folder[NAME_B];
    char mark;
};

static void
work_begin(void)
{
    REQUIRE(rp_folder_create_unique("folders", 7, work, sizeof(work)));
}

static void
work_end(void)
{
    REQUIRE(RemoveDirectoryA(work)); /* nothing else was left there */
}

/* Its first file holds these bytes, and it goes. */
static void
check_folder(const char *folder, const char *bytes)
{
    char path[NAME_B + 8], found[8] = "";
    (void)snprintf(path, sizeof(path), "%s/first", folder);
    FILE *file = fopen(path, "rb");
    REQUIRE(file);
    REQUIRE_EQ(fread(found, 1, sizeof(found) - 1, file), strlen(bytes));
    (void)fclose(file);
    REQUIRE(strcmp(found, bytes) == 0);
    REQUIRE(DeleteFileA(path) && RemoveDirectoryA(folder));
}

static void *
folder_want(void *arg)
{
    struct wish *w = arg;
    atomic_fetch_add(w->ready_count, 1);
    while (atomic_load(w->ready_count) < THREADS)
        ;
    const int file = rp_folder_create(w->wanted, "first", w->folder, sizeof(w->folder));
    REQUIRE(file >= 0 && rp_file_append(file, &w->mark, 1));
    rp_file_close(file);
    return NULL;
}

/* In every second round there is an empty folder of that name, which gives way. */
static void
threads_that_want_one_folder_get_a_folder_each(void)
{
    char wanted[NAME_B + 8];
    work_begin();
    (void)snprintf(wanted, sizeof(wanted), "%s/one\\", work);
    for (unsigned round = 0; round < ROUNDS; round++) {
        pthread_t threads[THREADS];
        struct wish wishes[THREADS];
        atomic_uint ready_count = 0;
        REQUIRE(round % 2 == 0 || CreateDirectoryA(wanted, NULL));
        for (uint32_t i = 0; i < THREADS; i++) {
            wishes[i] = (struct wish){
                .wanted = wanted, .ready_count = &ready_count, .mark = (char)('a' + i)};
            REQUIRE_EQ(pthread_create(&threads[i], NULL, folder_want, &wishes[i]), 0);
        }
        for (uint32_t i = 0; i < THREADS; i++)
            REQUIRE_EQ(pthread_join(threads[i], NULL), 0);
        check_folder(wishes[0].folder, "a");
        check_folder(wishes[1].folder, "b");
    }
    work_end();
}

static void
a_name_that_is_taken_is_left_as_it_is(void)
{
    char wanted[NAME_B + 8], out[NAME_B], numbered[NAME_B];
    work_begin();
    (void)snprintf(wanted, sizeof(wanted), "%s/one", work);
    rp_file_close(rp_folder_create(wanted, "first", out, sizeof(out)));
    REQUIRE(strcmp(out, wanted) == 0);
    rp_file_close(rp_folder_create(wanted, "first", numbered, sizeof(numbered)));
    REQUIRE(strncmp(numbered, out, strlen(out)) == 0 && strcmp(numbered + strlen(out), ".1") == 0);
    check_folder(out, "");
    check_folder(numbered, "");

    rp_file_close(rp_file_create(work, "one"));
    rp_file_close(rp_folder_create(wanted, "first", out, sizeof(out)));
    REQUIRE(strcmp(out, numbered) == 0);
    check_folder(out, "");
    REQUIRE(rp_folder_create("/nowhere/at/all", "first", out, sizeof(out)) < 0);
    REQUIRE(rp_folder_create(wanted, "first", out, 4) < 0);
    REQUIRE(DeleteFileA(wanted));
    work_end();
}

/* Nobody may delete or rename what is held so. */
static HANDLE
hold(const char *path)
{
    HANDLE held = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    REQUIRE(held != INVALID_HANDLE_VALUE);
    return held;
}

static void *
let_go_soon(void *held)
{
    rp_clock_sleep(30000000);
    REQUIRE(CloseHandle(held));
    return NULL;
}

static void
what_others_hold_for_a_moment_is_named_after_it(void)
{
    char folder[NAME_B], name[NAME_B + 8], file[NAME_B + 8];
    pthread_t thread;
    work_begin();
    (void)snprintf(name, sizeof(name), "%s/one", work);
    REQUIRE(rp_folder_create_unique(name, (int)strlen(name), folder, sizeof(folder)));
    rp_file_close(rp_file_create(folder, "first"));

    HANDLE held = hold(folder);
    REQUIRE_EQ(rp_folder_name(folder, name), RP_FOLDER_NAME_REFUSED); /* for good */
    REQUIRE_EQ(pthread_create(&thread, NULL, let_go_soon, held), 0);
    REQUIRE_EQ(rp_folder_name(folder, name), RP_FOLDER_NAMED);
    REQUIRE_EQ(pthread_join(thread, NULL), 0);

    /* Windows itself minds a file that is held in a folder. */
    (void)snprintf(file, sizeof(file), "%s/first", name);
    held = hold(file);
    REQUIRE(CreateDirectoryA(folder, NULL)); /* is empty: gives way */
    REQUIRE_EQ(pthread_create(&thread, NULL, let_go_soon, held), 0);
    REQUIRE_EQ(rp_folder_name(name, folder), RP_FOLDER_NAMED);
    REQUIRE_EQ(pthread_join(thread, NULL), 0);
    check_folder(folder, "");
    work_end();
}

int
main(void)
{
    RUN(threads_that_want_one_folder_get_a_folder_each);
    RUN(a_name_that_is_taken_is_left_as_it_is);
    RUN(what_others_hold_for_a_moment_is_named_after_it);
    return 0;
}
