/* SPDX-License-Identifier: MIT */
/* The versions of libavcodec whose structs are known: read from their headers, and run.
 */
#include "codecs/avcodec/library/layout.h"

const struct rp_avcodec_layout rp_avcodec_layouts[RP_AVCODEC_LAYOUTS] = {
    {63, "libavcodec.so.63", 184, 184, 320}, /* FFmpeg 9 */
    {62, "libavcodec.so.62", 184, 184, 320}, /* FFmpeg 8 */
    {61, "libavcodec.so.61", 184, 200, 344}, /* FFmpeg 7 */
    {60, "libavcodec.so.60", 144, 224, 376}, /* FFmpeg 6 */
    {59, "libavcodec.so.59", 144, 224, 376}, /* FFmpeg 5 */
};
