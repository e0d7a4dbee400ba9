/* SPDX-License-Identifier: MIT */
/* What tests call of POSIX and Windows has under another name: included in front of every test
 * there.
 */
#ifndef RP_TESTS_WINDOWS_ENVIRONMENT_H
#define RP_TESTS_WINDOWS_ENVIRONMENT_H

int setenv(const char *name, const char *value, int overwrites);
int unsetenv(const char *name);

#endif
