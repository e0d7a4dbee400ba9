# SPDX-License-Identifier: MIT
# Toolchain file: for i686 with SSE2, with Debian's cross compiler; programs run on x86-64 as they
# are. SSE2, since the x87's numbers have more bits. Vectors are passed in other ways by -mavx.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
find_program(CMAKE_CXX_COMPILER i686-linux-gnu-g++)
set(CMAKE_C_FLAGS_INIT "-msse2 -mfpmath=sse -Wno-psabi")
set(CMAKE_CXX_FLAGS_INIT "-msse2 -mfpmath=sse -Wno-psabi")
set(CMAKE_LIBRARY_ARCHITECTURE i386-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/i386-linux-gnu/pkgconfig:/usr/share/pkgconfig)
