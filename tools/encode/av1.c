/* SPDX-License-Identifier: MIT */
/* AV1: key frames and inter frames, 8 or 10 bits. Those that are coded in front of a frame that is
 * displayed earlier are hidden, and shown by a frame header of their own.
 *
 * The decoder's reference i is the DPB's slot i: there are fewer slots than references.
 */
#include "tools/encode/av1.h"

#include "tools/encode/picture.h"

#define NAMES STD_VIDEO_AV1_REFS_PER_FRAME /* LAST_FRAME to ALTREF_FRAME */
#define FIRST_GROUP2_NAME 4                /* BWDREF_FRAME */
#define ALL_REFERENCES 0xff
#define MAX_TILE_WIDTH_PX 4096u /* MAX_TILE_WIDTH and MAX_TILE_AREA of the specification (3) */
#define MAX_TILE_AREA_PX (4096u * 2304)
#define FINE_MOTION_Q_INDEX 128 /* from here on, eighths of a pixel cost more than they bring */

static void
av1_profile_init(struct encoder *enc)
{
    enc->profile.codec.av1 = (VkVideoEncodeAV1ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PROFILE_INFO_KHR,
        .pNext = &enc->profile.usage,
        .stdProfile = STD_VIDEO_AV1_PROFILE_MAIN,
    };
}

static void
av1_capabilities_init(struct capabilities *caps)
{
    caps->codec.av1 = (VkVideoEncodeAV1CapabilitiesKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_CAPABILITIES_KHR,
    };
}

static bool
uses_superblocks_128(const struct encoder *enc)
{
    return !(enc->caps.codec.av1.superblockSizes & VK_VIDEO_ENCODE_AV1_SUPERBLOCK_SIZE_64_BIT_KHR);
}

static uint32_t
in_superblocks(const struct encoder *enc, uint32_t px)
{
    const uint32_t superblock_px = uses_superblocks_128(enc) ? 128 : 64;

    return (px + superblock_px - 1) / superblock_px;
}

/* The first superblock of tile number i of count that cover size superblocks. */
static uint32_t
tile_start(uint32_t size, uint32_t i, uint32_t count)
{
    return size * i / count;
}

/* The last of tiles as equal as can be is the largest. */
static uint32_t
largest_tile(uint32_t size, uint32_t count)
{
    return size - tile_start(size, count - 1, count);
}

/* One side of the picture. */
static void
tiles_check(const char *what, uint32_t size_sb, uint32_t count, uint32_t max_count, uint32_t max_sb)
{
    if (count > max_count || count > size_sb)
        die("%u %s of tiles are too many", count, what);
    if (largest_tile(size_sb, count) > max_sb)
        die("%u %s of tiles are too few", count, what);
}

/* tile_log2() (5.9.16) */
static uint32_t
tile_log2(uint32_t block, uint32_t target)
{
    uint32_t k = 0;

    while (block << k < target)
        k++;
    return k;
}

/* The most superblocks of a tile whose size is written, in pictures of this size (5.9.15). */
static uint32_t
max_tile_area(uint32_t width_sb, uint32_t height_sb, uint32_t superblock_px)
{
    const uint32_t area_sb = width_sb * height_sb;
    const uint32_t log2_columns = tile_log2(MAX_TILE_WIDTH_PX / superblock_px, width_sb);
    const uint32_t log2_area = tile_log2(MAX_TILE_AREA_PX / superblock_px / superblock_px, area_sb);
    const uint32_t log2_tiles = log2_columns > log2_area ? log2_columns : log2_area;

    return log2_tiles > 0 ? area_sb >> (log2_tiles + 1) : area_sb;
}

static void
tiling_check(const struct encoder *enc)
{
    const VkVideoEncodeAV1CapabilitiesKHR *caps = &enc->caps.codec.av1;
    const uint32_t superblock_px = uses_superblocks_128(enc) ? 128 : 64;
    const uint32_t width_sb = in_superblocks(enc, enc->settings.width_px);
    const uint32_t height_sb = in_superblocks(enc, enc->settings.height_px);
    const uint32_t columns = enc->settings.av1.tile_columns;
    const uint32_t rows = enc->settings.av1.tile_rows;
    uint32_t max_height_sb;

    if (columns == 0)
        return; /* the device chooses */
    if (columns > AV1_MAX_TILE_COLUMNS || rows > AV1_MAX_TILE_ROWS)
        die("there are at most %u by %u tiles", AV1_MAX_TILE_COLUMNS, AV1_MAX_TILE_ROWS);
    tiles_check("columns", width_sb, columns, caps->maxTiles.width,
                caps->maxTileSize.width / superblock_px);
    max_height_sb =
        max_tile_area(width_sb, height_sb, superblock_px) / largest_tile(width_sb, columns);
    if (max_height_sb > caps->maxTileSize.height / superblock_px)
        max_height_sb = caps->maxTileSize.height / superblock_px;
    tiles_check("rows", height_sb, rows, caps->maxTiles.height,
                max_height_sb > 0 ? max_height_sb : 1);
}

/* The names that the device searches: the newest picture gets the first one. Returns how many there
 * are. */
static uint32_t
names_get(const struct encoder *enc, uint32_t names[NAMES])
{
    const uint32_t mask = enc->caps.codec.av1.singleReferenceNameMask;
    uint32_t count = 0;

    for (uint32_t i = 0; i < NAMES; i++) {
        if (mask & 1u << i)
            names[count++] = i;
    }
    return count;
}

/* Whether a block can be predicted from the two newest pictures at once. */
static bool
has_compound(const struct encoder *enc)
{
    const VkVideoEncodeAV1CapabilitiesKHR *caps = &enc->caps.codec.av1;
    uint32_t names[NAMES];
    uint32_t wanted;

    if (names_get(enc, names) < 2 || enc->settings.refs < 2)
        return false;
    wanted = 1u << names[0] | 1u << names[1];
    return caps->maxUnidirectionalCompoundReferenceCount >= 2 &&
           caps->maxUnidirectionalCompoundGroup1ReferenceCount >= 2 &&
           (caps->unidirectionalCompoundReferenceNameMask & wanted) == wanted;
}

/* One name for the picture before, one for that after: the lowest of each group that may be
 * combined. */
static bool
b_names_get(const struct encoder *enc, uint32_t names[2])
{
    const VkVideoEncodeAV1CapabilitiesKHR *caps = &enc->caps.codec.av1;
    const uint32_t mask = caps->bidirectionalCompoundReferenceNameMask;

    names[0] = 0;
    while (names[0] < FIRST_GROUP2_NAME && !(mask & 1u << names[0]))
        names[0]++;
    names[1] = FIRST_GROUP2_NAME;
    while (names[1] < NAMES && !(mask & 1u << names[1]))
        names[1]++;
    return names[0] < FIRST_GROUP2_NAME && names[1] < NAMES &&
           caps->maxBidirectionalCompoundReferenceCount >= 2 &&
           caps->maxBidirectionalCompoundGroup1ReferenceCount >= 1 &&
           caps->maxBidirectionalCompoundGroup2ReferenceCount >= 1;
}

static void
av1_settings_check(struct encoder *enc)
{
    struct encoder_settings *settings = &enc->settings;
    const VkVideoEncodeAV1CapabilitiesKHR *caps = &enc->caps.codec.av1;
    uint32_t names[NAMES];
    const uint32_t name_count = names_get(enc, names);

    tiling_check(enc);
    if (!encoder_q_is_within(enc, (int32_t)caps->minQIndex, (int32_t)caps->maxQIndex))
        die("Q index: the device has %u to %u", caps->minQIndex, caps->maxQIndex);
    if (settings->refs > caps->maxSingleReferenceCount)
        settings->refs = caps->maxSingleReferenceCount;
    if (settings->refs > name_count)
        settings->refs = name_count;
    if (settings->av1.wants_compound && !has_compound(enc))
        die("--compound: the device does not predict from two references of the past, or --refs is "
            "less than 2");
    if (settings->b_frames > 0 && !b_names_get(enc, names))
        die("--b-frames: the device does not predict from the past and the future at once");
}

static void
av1_rate_init(struct encoder *enc)
{
    const uint32_t gop = enc->settings.gop;
    const uint32_t b_frames = enc->settings.b_frames;
    VkVideoEncodeAV1RateControlFlagsKHR flags = 0;

    if (gop > 0)
        flags |= VK_VIDEO_ENCODE_AV1_RATE_CONTROL_REGULAR_GOP_BIT_KHR;
    if (gop > 0 && b_frames == 0)
        flags |= VK_VIDEO_ENCODE_AV1_RATE_CONTROL_REFERENCE_PATTERN_FLAT_BIT_KHR;
    if (gop > 0 && b_frames > 0)
        flags |= VK_VIDEO_ENCODE_AV1_RATE_CONTROL_REFERENCE_PATTERN_DYADIC_BIT_KHR;
    enc->rate.codec.av1 = (VkVideoEncodeAV1RateControlInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_RATE_CONTROL_INFO_KHR,
        .flags = flags,
        .gopFrameCount = gop,
        .keyFramePeriod = gop,
        .consecutiveBipredictiveFrameCount = b_frames,
        .temporalLayerCount = 1,
    };
}

static void
av1_parameters_create(struct encoder *enc, const void *chain)
{
    const struct encoder_settings *settings = &enc->settings;
    const uint32_t columns = settings->av1.tile_columns;
    struct av1_sequence *sequence = &enc->sets.av1;
    const struct av1_settings av1 = {
        .width_px = settings->width_px,
        .height_px = settings->height_px,
        .fps_numerator = settings->fps_numerator,
        .fps_denominator = settings->fps_denominator,
        .bit_depth = settings->bit_depth,
        .tile_columns = columns,
        .tile_count = columns * settings->av1.tile_rows,
        .uses_superblocks_128 = uses_superblocks_128(enc),
        .is_bt709 = settings->is_bt709,
        .bitrate_bps = settings->max_bitrate_bps,
    };
    const VkVideoEncodeAV1SessionParametersCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pNext = chain,
        .pStdSequenceHeader = &sequence->header,
        .stdOperatingPointCount = 1,
        .pStdOperatingPoints = &sequence->operating_point,
    };

    av1_sequence_init(sequence, &av1);
    vk_check(
        video_parameters_create(&enc->gpu->video, enc->session.handle, 0, &info, &enc->parameters),
        "vkCreateVideoSessionParametersKHR");
}

static StdVideoAV1FrameType
frame_type(const struct gop_picture *picture)
{
    return picture->is_key ? STD_VIDEO_AV1_FRAME_TYPE_KEY : STD_VIDEO_AV1_FRAME_TYPE_INTER;
}

static uint8_t
order_hint(const struct gop_picture *picture)
{
    return (uint8_t)(picture->position % (1u << AV1_ORDER_HINT_BITS));
}

static void
slot_init(const struct gop_picture *picture, struct av1_slot *slot)
{
    slot->std = (StdVideoEncodeAV1ReferenceInfo){
        .frame_type = frame_type(picture),
        .OrderHint = order_hint(picture),
    };
    slot->info = (VkVideoEncodeAV1DpbSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &slot->std,
    };
}

static void
tiles_init(const struct encoder *enc, struct av1_picture *av1)
{
    const uint32_t columns = enc->settings.av1.tile_columns;
    const uint32_t rows = enc->settings.av1.tile_rows;
    const uint32_t width_sb = in_superblocks(enc, enc->settings.width_px);
    const uint32_t height_sb = in_superblocks(enc, enc->settings.height_px);

    for (uint32_t i = 0; i < columns; i++)
        av1->tile_widths_minus_1[i] =
            (uint16_t)(tile_start(width_sb, i + 1, columns) - tile_start(width_sb, i, columns) - 1);
    for (uint32_t i = 0; i < rows; i++)
        av1->tile_heights_minus_1[i] =
            (uint16_t)(tile_start(height_sb, i + 1, rows) - tile_start(height_sb, i, rows) - 1);
    av1->tiles = (StdVideoAV1TileInfo){
        .TileCols = (uint8_t)columns,
        .TileRows = (uint8_t)rows,
        .pWidthInSbsMinus1 = av1->tile_widths_minus_1,
        .pHeightInSbsMinus1 = av1->tile_heights_minus_1,
    };
}

/* Names that stand for no picture hold the newest one in the header: a decoder wants it valid. */
static void
names_init(const struct encoder *enc, const struct gop_picture *picture, struct av1_picture *av1)
{
    const struct gop *gop = &enc->gop;
    uint32_t names[NAMES];

    if (picture->is_b)
        (void)b_names_get(enc, names);
    else
        (void)names_get(enc, names);
    for (uint32_t i = 0; i < NAMES; i++) {
        av1->info.referenceNameSlotIndices[i] = -1;
        av1->std.ref_frame_idx[i] = gop->ref_count > 0 ? (int8_t)gop->refs[0].slot : 0;
    }
    for (uint32_t i = 0; i < gop->ref_count; i++) {
        av1->info.referenceNameSlotIndices[names[i]] = (int32_t)gop->refs[i].slot;
        av1->std.ref_frame_idx[names[i]] = (int8_t)gop->refs[i].slot;
    }
    if (gop->ref_count > 0)
        av1->std.primary_ref_frame = (uint8_t)names[0];
}

static uint8_t
refreshed(const struct gop_picture *picture)
{
    if (picture->is_key)
        return ALL_REFERENCES;
    return picture->is_reference ? (uint8_t)(1u << picture->slot) : 0;
}

static void
std_init(const struct encoder *enc, const struct gop_picture *picture, uint32_t q_index,
         struct av1_picture *av1)
{
    av1->std = (StdVideoEncodeAV1PictureInfo){
        .flags =
            {
                .error_resilient_mode = picture->is_key,
                .is_filter_switchable = 1,
                .allow_high_precision_mv = !picture->is_key && q_index < FINE_MOTION_Q_INDEX,
                .show_frame = !picture->is_early,
                .showable_frame = !picture->is_key,
            },
        .frame_type = frame_type(picture),
        .order_hint = order_hint(picture),
        .primary_ref_frame = STD_VIDEO_AV1_PRIMARY_REF_NONE,
        .refresh_frame_flags = refreshed(picture),
        .render_width_minus_1 = (uint16_t)(enc->settings.width_px - 1),
        .render_height_minus_1 = (uint16_t)(enc->settings.height_px - 1),
        .interpolation_filter = STD_VIDEO_AV1_INTERPOLATION_FILTER_SWITCHABLE,
        .TxMode = STD_VIDEO_AV1_TX_MODE_SELECT,
        .pTileInfo = enc->settings.av1.tile_columns > 0 ? &av1->tiles : NULL,
    };
}

static VkVideoEncodeAV1PredictionModeKHR
prediction_mode(const struct encoder *enc, const struct gop_picture *picture)
{
    if (picture->is_key)
        return VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_INTRA_ONLY_KHR;
    if (picture->is_b)
        return VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_BIDIRECTIONAL_COMPOUND_KHR;
    return enc->settings.av1.wants_compound && enc->gop.ref_count > 1
               ? VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_UNIDIRECTIONAL_COMPOUND_KHR
               : VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_SINGLE_REFERENCE_KHR;
}

static VkVideoEncodeAV1RateControlGroupKHR
rate_group(const struct gop_picture *picture)
{
    if (picture->is_key)
        return VK_VIDEO_ENCODE_AV1_RATE_CONTROL_GROUP_INTRA_KHR;
    return picture->is_b ? VK_VIDEO_ENCODE_AV1_RATE_CONTROL_GROUP_BIPREDICTIVE_KHR
                         : VK_VIDEO_ENCODE_AV1_RATE_CONTROL_GROUP_PREDICTIVE_KHR;
}

static void
av1_picture_init(const struct encoder *enc, struct picture_info *info)
{
    struct av1_picture *av1 = &info->codec.av1;
    const bool has_constant_q =
        enc->settings.rate_mode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
    const uint32_t q_index = (uint32_t)encoder_q(enc, &info->picture);

    for (uint32_t i = 0; i < info->ref_count; i++)
        slot_init(&enc->gop.refs[i], &av1->slots[i]);
    slot_init(&info->picture, &av1->slots[info->ref_count]);
    for (uint32_t i = 0; i <= info->ref_count; i++)
        info->references[i].pNext = &av1->slots[i].info;
    tiles_init(enc, av1);
    std_init(enc, &info->picture, q_index, av1);
    av1->info = (VkVideoEncodeAV1PictureInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PICTURE_INFO_KHR,
        .predictionMode = prediction_mode(enc, &info->picture),
        .rateControlGroup = rate_group(&info->picture),
        .constantQIndex = has_constant_q ? q_index : 0,
        .pStdPictureInfo = &av1->std,
    };
    names_init(enc, &info->picture, av1);
    info->chain = &av1->info;
}

static const char *const device_extensions[] = {
    VK_KHR_VIDEO_QUEUE_EXTENSION_NAME,
    VK_KHR_VIDEO_ENCODE_QUEUE_EXTENSION_NAME,
    VK_KHR_VIDEO_ENCODE_AV1_EXTENSION_NAME,
};

static const uint8_t temporal_delimiter[] = {0x12, 0x00}; /* an OBU with a size field (5.6) */

/* A frame header with show_existing_frame and frame_to_show_map_idx alone (5.9.2). */
static size_t
av1_show(uint32_t slot, uint8_t out[CODEC_SHOW_MAX_B])
{
    out[0] = 0x1a; /* OBU_FRAME_HEADER with a size field */
    out[1] = 1;
    out[2] = (uint8_t)(0x80 | slot << 4 | 0x08); /* the trailing bit follows */
    return 3;
}

const struct encode_codec encode_av1 = {
    .name = "av1",
    .work =
        {
            .verb = "encodes AV1",
            .queue_flags = VK_QUEUE_VIDEO_ENCODE_BIT_KHR,
            .codec_operations = VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR,
            .extension_count = sizeof(device_extensions) / sizeof(device_extensions[0]),
            .extensions = device_extensions,
            .feature = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_AV1_FEATURES_KHR,
        },
    .default_q = 120,
    .has_10_bits = true,
    .has_b_pictures = true,
    .max_slots = STD_VIDEO_AV1_NUM_REF_FRAMES,
    .q_b_offset = 16,
    .max_q = 255,
    .show = av1_show,
    .delimiter = temporal_delimiter,
    .delimiter_B = sizeof(temporal_delimiter),
    .profile_init = av1_profile_init,
    .capabilities_init = av1_capabilities_init,
    .settings_check = av1_settings_check,
    .rate_init = av1_rate_init,
    .parameters_create = av1_parameters_create,
    .picture_init = av1_picture_init,
};
