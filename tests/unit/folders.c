/* SPDX-License-Identifier: MIT */
/* The folders of captures and profiles, for processes that want the same one.
 */
#include "test.h"

#include "platform/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES 2u
#define ROUNDS 1000u
#define NAME_B 128

struct shared {
    atomic_uint round;
    atomic_uint made_count;
    char folders[PROCESSES][NAME_B];
};

static bool renames_closed_folders_alone;

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

/* Whether the process has a file open whose path begins so. */
static bool
has_open_file(const char *begin)
{
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    bool is_found = false;

    REQUIRE(folder);
    while ((entry = readdir(folder))) {
        char path[PATH_MAX] = "";
        const ssize_t length_B = readlinkat(dirfd(folder), entry->d_name, path, sizeof(path) - 1);
        is_found |= length_B > 0 && strncmp(path, begin, strlen(begin)) == 0;
    }
    (void)closedir(folder);
    return is_found;
}

/* The driver finds this one. */
int
__wrap_rename(const char *from, const char *to)
{
    char path[PATH_MAX];
    if (renames_closed_folders_alone && realpath(from, path) && has_open_file(path)) {
        errno = EACCES;
        return -1;
    }
    return __real_rename(from, to);
}

static void
make_folders(struct shared *shared, const char *wanted, uint32_t process)
{
    const char mark = (char)('a' + process);
    REQUIRE(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0); /* where the test has failed */
    for (unsigned round = 1; round <= ROUNDS; round++) {
        while (atomic_load(&shared->round) != round)
            sched_yield();
        const int file = rp_folder_create(wanted, "first", shared->folders[process], NAME_B);
        if (file < 0 || !rp_file_append(file, &mark, 1))
            shared->folders[process][0] = '\0';
        rp_file_close(file);
        atomic_fetch_add(&shared->made_count, 1);
    }
    _exit(0);
}

/* Its first file holds these bytes, and it goes. */
static void
check_folder(const char *folder, const char *bytes)
{
    char path[NAME_B + 8], found[8] = "";
    struct stat status;
    REQUIRE(stat(folder, &status) == 0 && (status.st_mode & 07777) == 0700);
    (void)snprintf(path, sizeof(path), "%s/first", folder);
    const int file = open(path, O_RDONLY);
    REQUIRE(file >= 0);
    REQUIRE_EQ(read(file, found, sizeof(found) - 1), (ssize_t)strlen(bytes));
    close(file);
    REQUIRE(strcmp(found, bytes) == 0);
    REQUIRE(unlink(path) == 0 && rmdir(folder) == 0);
}

/* In every second round there is an empty folder of that name, which gives way. */
static void
processes_that_want_one_folder_get_a_folder_each(void)
{
    char work[] = "folders.XXXXXX", wanted[NAME_B];
    REQUIRE(mkdtemp(work));
    (void)snprintf(wanted, sizeof(wanted), "%s/one", work);
    struct shared *shared =
        mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(shared != MAP_FAILED);
    for (uint32_t i = 0; i < PROCESSES; i++) {
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0)
            make_folders(shared, wanted, i);
    }
    for (unsigned round = 1; round <= ROUNDS; round++) {
        REQUIRE(round % 2 == 0 || mkdir(wanted, 0755) == 0);
        atomic_store(&shared->round, round);
        while (atomic_load(&shared->made_count) != round * PROCESSES)
            sched_yield();
        check_folder(shared->folders[0], "a");
        check_folder(shared->folders[1], "b");
    }
    for (uint32_t i = 0; i < PROCESSES; i++) {
        int status;
        REQUIRE(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    REQUIRE(munmap(shared, sizeof(*shared)) == 0);
    REQUIRE(rmdir(work) == 0); /* nothing else was left there */
}

static void
a_name_that_is_taken_is_left_as_it_is(void)
{
    char work[] = "folders.XXXXXX", wanted[NAME_B], out[NAME_B], numbered[NAME_B + 2];
    REQUIRE(mkdtemp(work));
    (void)snprintf(wanted, sizeof(wanted), "%s/one/", work);
    rp_file_close(rp_folder_create(wanted, "first", out, sizeof(out)));
    REQUIRE_EQ(strlen(out), strlen(wanted) - 1); /* the same without the slash */
    rp_file_close(rp_folder_create(wanted, "first", numbered, sizeof(numbered)));
    REQUIRE(strncmp(numbered, out, strlen(out)) == 0 && strcmp(numbered + strlen(out), ".1") == 0);
    check_folder(out, "");
    check_folder(numbered, "");

    const int file = rp_file_create(work, "one");
    REQUIRE(file >= 0);
    rp_file_close(file);
    rp_file_close(rp_folder_create(wanted, "first", out, sizeof(out)));
    REQUIRE(strcmp(out, numbered) == 0);
    check_folder(out, "");
    REQUIRE(rp_folder_create("/nowhere/at/all", "first", out, sizeof(out)) < 0);
    REQUIRE(rp_folder_create(wanted, "first", out, 4) < 0);
    (void)snprintf(out, sizeof(out), "%s/one", work);
    REQUIRE(unlink(out) == 0 && rmdir(work) == 0);
}

/* Windows' file systems refuse to rename the others, and are mounted in Linux, too. */
static void
folders_with_open_files_need_not_be_renamed(void)
{
    char work[] = "folders.XXXXXX", wanted[NAME_B], out[NAME_B];
    REQUIRE(mkdtemp(work));
    (void)snprintf(wanted, sizeof(wanted), "%s/one", work);
    renames_closed_folders_alone = true;
    const int file = rp_folder_create(wanted, "first", out, sizeof(out));
    renames_closed_folders_alone = false;
    REQUIRE(file >= 0 && strcmp(out, wanted) == 0);
    REQUIRE(rp_file_append(file, "a", 1) && rp_file_append(file, "b", 1));
    rp_file_close(file);
    check_folder(out, "ab");
    REQUIRE(rmdir(work) == 0);
}

int
main(void)
{
    RUN(processes_that_want_one_folder_get_a_folder_each);
    RUN(a_name_that_is_taken_is_left_as_it_is);
    RUN(folders_with_open_files_need_not_be_renamed);
    return 0;
}
