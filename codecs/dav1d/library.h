/* SPDX-License-Identifier: MIT */
/* The system's libdav1d, opened at run time (codecs/library/load.h).
 */
#ifndef RP_CODECS_DAV1D_LIBRARY_H
#define RP_CODECS_DAV1D_LIBRARY_H

#include "codecs/dav1d/layout.h"

#include <stdbool.h>

struct Dav1dContext;

/* What is called of libdav1d. Errors are negative errno values. */
struct rp_dav1d_library {
    void (*dav1d_default_settings)(struct rp_dav1d_settings *settings);
    int (*dav1d_open)(struct Dav1dContext **out, const struct rp_dav1d_settings *settings);
    void (*dav1d_close)(struct Dav1dContext **context);
    void (*dav1d_flush)(struct Dav1dContext *context);
    int (*dav1d_data_wrap)(struct rp_dav1d_data *data, const uint8_t *buf, size_t size_B,
                           void (*free)(const uint8_t *buf, void *cookie), void *cookie);
    void (*dav1d_data_unref)(struct rp_dav1d_data *data);
    int (*dav1d_send_data)(struct Dav1dContext *context, struct rp_dav1d_data *data);
    int (*dav1d_get_picture)(struct Dav1dContext *context, struct rp_dav1d_picture *out);
    int (*dav1d_apply_grain)(struct Dav1dContext *context, struct rp_dav1d_picture *out,
                             const struct rp_dav1d_picture *in);
    void (*dav1d_picture_unref)(struct rp_dav1d_picture *picture);

    const struct rp_dav1d_layout *layout;
};

/* Whether a version that we know is installed; cached, opens nothing. Any thread. */
bool rp_dav1d_library_is_present(void);

/* Opens the newest one the first time. NULL when it cannot be had. Any thread. */
const struct rp_dav1d_library *rp_dav1d_library_open(void);

#endif
