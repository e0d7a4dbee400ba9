/* SPDX-License-Identifier: MIT */
/* The versions of libdav1d whose structs are known: read from their headers, and run.
 */
#include "codecs/dav1d/layout.h"

const struct rp_dav1d_layout rp_dav1d_layouts[RP_DAV1D_LAYOUTS] = {
    {"libdav1d.so.7", 272, 264}, /* 1.5.1 */
    {"libdav1d.so.6", 264, 256}, /* 1.0.0 */
};
