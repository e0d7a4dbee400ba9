/* SPDX-License-Identifier: MIT */
#include "environment.h"

#include <stdlib.h>

int
setenv(const char *name, const char *value, int overwrites)
{
    return overwrites || !getenv(name) ? _putenv_s(name, value) : 0;
}

int
unsetenv(const char *name)
{
    return _putenv_s(name, "");
}
