/* SPDX-License-Identifier: MIT */
/* What layout.h says of libdav1d's structs is what the headers of this machine's version say.
 */
#include "codecs/dav1d/layout.h"
#include "test.h"

#include <dav1d/dav1d.h>

#include <assert.h>

static_assert(DAV1D_PIXEL_LAYOUT_I400 == RP_DAV1D_I400, "format");
static_assert(DAV1D_PIXEL_LAYOUT_I420 == RP_DAV1D_I420, "format");
static_assert(DAV1D_PICTURE_ALIGNMENT == RP_DAV1D_ALIGN_B, "alignment");
static_assert(sizeof(Dav1dSettings) == sizeof(struct rp_dav1d_settings), "settings");
static_assert(sizeof(Dav1dData) == sizeof(struct rp_dav1d_data), "data");
static_assert(sizeof(Dav1dPicture) <= sizeof(struct rp_dav1d_picture), "picture");
static_assert(sizeof(struct rp_dav1d_picture) == RP_DAV1D_PICTURE_ROOM_B, "picture");

#define SAME_PLACE(ours, our_field, theirs, their_field) \
    static_assert(offsetof(struct ours, our_field) == offsetof(theirs, their_field), #their_field)
SAME_PLACE(rp_dav1d_settings, n_threads, Dav1dSettings, n_threads);
SAME_PLACE(rp_dav1d_settings, max_frame_delay, Dav1dSettings, max_frame_delay);
SAME_PLACE(rp_dav1d_settings, apply_grain, Dav1dSettings, apply_grain);
SAME_PLACE(rp_dav1d_settings, operating_point, Dav1dSettings, operating_point);
SAME_PLACE(rp_dav1d_settings, all_layers, Dav1dSettings, all_layers);
SAME_PLACE(rp_dav1d_settings, frame_size_limit, Dav1dSettings, frame_size_limit);
SAME_PLACE(rp_dav1d_settings, allocator.cookie, Dav1dSettings, allocator.cookie);
SAME_PLACE(rp_dav1d_settings, allocator.alloc_picture, Dav1dSettings,
           allocator.alloc_picture_callback);
SAME_PLACE(rp_dav1d_settings, allocator.release_picture, Dav1dSettings,
           allocator.release_picture_callback);
SAME_PLACE(rp_dav1d_settings, logger.cookie, Dav1dSettings, logger.cookie);
SAME_PLACE(rp_dav1d_settings, logger.callback, Dav1dSettings, logger.callback);
SAME_PLACE(rp_dav1d_settings, strict_std_compliance, Dav1dSettings, strict_std_compliance);
SAME_PLACE(rp_dav1d_settings, output_invisible_frames, Dav1dSettings, output_invisible_frames);
SAME_PLACE(rp_dav1d_settings, inloop_filters, Dav1dSettings, inloop_filters);
SAME_PLACE(rp_dav1d_data, data, Dav1dData, data);
SAME_PLACE(rp_dav1d_data, size_B, Dav1dData, sz);
SAME_PLACE(rp_dav1d_picture, frame_hdr, Dav1dPicture, frame_hdr);
SAME_PLACE(rp_dav1d_picture, data, Dav1dPicture, data);
SAME_PLACE(rp_dav1d_picture, stride_B, Dav1dPicture, stride);
SAME_PLACE(rp_dav1d_picture, parameters.width_px, Dav1dPicture, p.w);
SAME_PLACE(rp_dav1d_picture, parameters.height_px, Dav1dPicture, p.h);
SAME_PLACE(rp_dav1d_picture, parameters.layout, Dav1dPicture, p.layout);
SAME_PLACE(rp_dav1d_picture, parameters.bit_depth, Dav1dPicture, p.bpc);

int
main(void)
{
    char soname[32];
    (void)snprintf(soname, sizeof(soname), "libdav1d.so.%d", DAV1D_API_VERSION_MAJOR);
    const struct rp_dav1d_layout *layout = NULL;
    for (size_t i = 0; i < RP_DAV1D_LAYOUTS; i++) {
        if (strcmp(rp_dav1d_layouts[i].soname, soname) == 0)
            layout = &rp_dav1d_layouts[i];
    }
    if (!layout)
        return TEST_SKIPPED; /* a version that the driver does not use */

    REQUIRE_EQ(layout->picture_B, sizeof(Dav1dPicture));
    REQUIRE_EQ(layout->allocator_data_offset_B, offsetof(Dav1dPicture, allocator_data));
    return 0;
}
