/* SPDX-License-Identifier: MIT */
/* Collecting pictures, keeping the DPB, calling the decoder.
 */
#include "app.h"

#include "test.h"

#include <limits.h>
#include <string.h>

#define HASH_START 0xcbf29ce484222325u
#define HASH_PRIME 0x100000001b3u

uint64_t
hash_row(uint64_t hash, const uint8_t *row, size_t size_B)
{
    size_t i = 0;
    if (!hash)
        hash = HASH_START;
    for (; i + 8 <= size_B; i += 8) {
        uint64_t word;
        memcpy(&word, row + i, 8);
        hash = (hash ^ word) * HASH_PRIME;
        hash ^= hash >> 29;
    }
    for (; i < size_B; i++)
        hash = (hash ^ row[i]) * HASH_PRIME;
    return hash;
}

void
hashes_add(struct hashes *hashes, uint64_t hash)
{
    if (hashes->count == hashes->capacity) {
        hashes->capacity = 2 * hashes->capacity + 64;
        hashes->at = realloc(hashes->at, hashes->capacity * sizeof(*hashes->at));
        REQUIRE(hashes->at);
    }
    hashes->at[hashes->count++] = hash;
}

void
hashes_finish(struct hashes *hashes)
{
    free(hashes->at);
    *hashes = (struct hashes){.at = NULL};
}

static int
compare_hashes(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

size_t
hashes_missing(struct hashes *a, struct hashes *b)
{
    size_t missing = 0;
    if (a->count)
        qsort(a->at, a->count, sizeof(*a->at), compare_hashes);
    if (b->count)
        qsort(b->at, b->count, sizeof(*b->at), compare_hashes);
    for (size_t i = 0, j = 0; i < a->count; i++) {
        while (j < b->count && b->at[j] < a->at[i])
            j++;
        if (j < b->count && b->at[j] == a->at[i])
            j++;
        else
            missing++;
    }
    return missing;
}

uint8_t *
file_read(const char *path, size_t *size_B_out)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    REQUIRE(fseek(file, 0, SEEK_END) == 0);
    const long size_B = ftell(file);
    REQUIRE(size_B >= 0);
    rewind(file);
    uint8_t *data = malloc((size_t)size_B + 64);
    REQUIRE(data);
    REQUIRE(fread(data, 1, (size_t)size_B, file) == (size_t)size_B);
    memset(data + size_B, 0, 64);
    (void)fclose(file);
    *size_B_out = (size_t)size_B;
    return data;
}

static uint32_t
app_random(struct app *app)
{
    app->random = app->random * 1664525u + 1013904223u;
    return app->random >> 8;
}

static void
image_finish(struct image *image)
{
    for (uint32_t i = 0; i < 3; i++)
        guarded_finish(&image->memory[i]);
    target_leave(image->target);
    *image = (struct image){.picture = {.width_px = 0}};
}

static void
image_init(struct image *image, uint32_t width_px, uint32_t height_px, bool is_i420)
{
    image_finish(image);
    image->picture.bit_depth = 8;
    image->picture.layout = is_i420 ? RP_PICTURE_I420 : RP_PICTURE_NV12;
    image->picture.width_px = width_px;
    image->picture.height_px = height_px;
    for (uint32_t i = 0; i < (is_i420 ? 3u : 2u); i++) {
        const uint32_t rows = i ? (height_px + 1) / 2 : height_px;
        const size_t stride_B = i && is_i420 ? (width_px + 1) / 2 : (width_px + 1) / 2 * 2;
        guarded_init(&image->memory[i], stride_B * rows);
        image->picture.plane[i].stride_B = stride_B;
        image->picture.plane[i].data = image->memory[i].end - stride_B * rows;
        memset(image->picture.plane[i].data, 0x55, stride_B * rows);
    }
}

/* The application gives the memory of the image back and takes other. */
static void
image_move(struct app *app, struct image *image)
{
    target_leave(image->target);
    image->target =
        target_create(image->picture.width_px, image->picture.height_px + app->options.cut_rows,
                      &app->targets_alive, &app->targets_retained);
    if (app->options.cut_rows)
        target_keep_from(image->target, (image->picture.height_px + 15) / 16 * 16);
    image->picture.plane[0] = target_plane(image->target);
}

static uint64_t
picture_hash(const struct rp_picture *picture)
{
    const uint32_t chroma_width = (picture->width_px + 1) / 2;
    const uint32_t chroma_height = (picture->height_px + 1) / 2;
    uint64_t hash = 0;
    uint8_t *row = malloc(chroma_width);
    REQUIRE(row);

    for (uint32_t y = 0; y < picture->height_px; y++)
        hash = hash_row(hash, picture->plane[0].data + y * picture->plane[0].stride_B,
                        picture->width_px);
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t y = 0; y < chroma_height; y++) {
            const bool is_i420 = picture->layout == RP_PICTURE_I420;
            const struct rp_plane *plane = &picture->plane[is_i420 ? 1 + i : 1];
            const uint8_t *src = plane->data + y * plane->stride_B;
            for (uint32_t x = 0; x < chroma_width; x++)
                row[x] = is_i420 ? src[x] : src[2 * x + i];
            hash = hash_row(hash, row, chroma_width);
        }
    }
    free(row);
    return hash;
}

void
app_init(struct app *app, const struct rp_decode_codec *codec, struct rp_decoder *dec,
         uint8_t *data, size_t data_B, uint32_t first_slot, uint32_t slot_count,
         const struct app_options *options)
{
    memset(app, 0, sizeof(*app));
    app->codec = codec;
    app->dec = dec;
    app->options = *options;
    app->random = options->seed;
    app->data = data;
    app->data_B = data_B;
    app->first_slot = first_slot;
    app->slot_count = slot_count;
    app->rbsp = malloc(data_B + 64);
    app->slices = malloc(data_B + 64);
    REQUIRE(app->rbsp && app->slices);
    guarded_init(&app->bitstream, 1 << 16);
}

void
app_finish(struct app *app)
{
    for (uint32_t i = 0; i <= APP_MAX_SLOTS; i++)
        image_finish(&app->images[i]);
    image_finish(&app->second_image);
    guarded_finish(&app->bitstream);
    free(app->data);
    free(app->rbsp);
    free(app->slices);
    free(app->offsets_B);
    hashes_finish(&app->hashes);
}

bool
app_is_between_fields(const struct app *app)
{
    return app->has_cur && app->cur.coded_fields != FRAME;
}

static struct image *
frame_image(struct app *app, const struct frame *frame)
{
    return &app->images[frame->slot < 0 ? app->slot_count : (uint32_t)frame->slot];
}

/* The missing lines of a single field are shown as the decoded ones. */
static void
field_double(const struct rp_picture *picture, uint32_t coded_fields)
{
    const uint32_t from = coded_fields == BOTTOM;
    for (uint32_t i = 0; i < 3 && picture->plane[i].data; i++) {
        const struct rp_plane *plane = &picture->plane[i];
        const uint32_t rows = i ? picture->height_px / 2 : picture->height_px;
        for (uint32_t y = 0; y + 1 < rows; y += 2)
            memcpy(plane->data + (y + !from) * plane->stride_B,
                   plane->data + (y + from) * plane->stride_B, plane->stride_B);
    }
}

static void
frame_complete(struct app *app)
{
    if (!app->has_cur)
        return;
    if (app->cur.is_non_existing) {
        dpb_insert(&app->dpb, &app->cur);
        app->has_cur = false;
        return;
    }
    const struct rp_picture *picture = &frame_image(app, &app->cur)->picture;
    if (app->cur.coded_fields != FRAME)
        field_double(picture, app->cur.coded_fields);
    hashes_add(&app->hashes, picture_hash(picture));
    dpb_insert(&app->dpb, &app->cur);
    app->has_cur = false;
}

static int32_t
free_slot(const struct app *app)
{
    bool is_taken[APP_MAX_SLOTS] = {false};
    for (uint32_t i = 0; i < app->dpb.count; i++) {
        if (app->dpb.frames[i].slot >= 0)
            is_taken[app->dpb.frames[i].slot] = true;
    }
    for (uint32_t i = 0; i < app->slot_count; i++) {
        if (!is_taken[i])
            return (int32_t)i;
    }
    REQUIRE(!"a free slot");
    return -1;
}

static void
parameter_set_read(struct app *app, const struct nal *nal, size_t rbsp_B)
{
    struct sps sps;
    struct pps pps;
    if ((nal->data[0] & 31) == 7) {
        if (!sps_parse(&sps, app->rbsp, rbsp_B))
            return;
        struct sps *own = &app->sps[sps.std.seq_parameter_set_id];
        *own = sps;
        own->std.pScalingLists = &own->lists;
        own->std.pOffsetForRefFrame = own->offsets;
    } else if (pps_parse(&pps, app->sps, app->rbsp, rbsp_B)) {
        struct pps *own = &app->pps[pps.std.pic_parameter_set_id];
        *own = pps;
        own->std.pScalingLists = &own->lists;
    }
}

static void
slice_append(struct app *app, const struct nal *nal)
{
    static const uint8_t start_code[4] = {0, 0, 0, 1};
    if (app->slice_count == app->slice_capacity) {
        app->slice_capacity = 2 * app->slice_capacity + 16;
        app->offsets_B = realloc(app->offsets_B, app->slice_capacity * sizeof(*app->offsets_B));
        REQUIRE(app->offsets_B);
    }
    app->offsets_B[app->slice_count++] = (uint32_t)app->slices_B;
    /* None, or one of three or four bytes. */
    const uint32_t code_B = app_random(app) % 3 ? 3 + app_random(app) % 2 : 0;
    memcpy(app->slices + app->slices_B, start_code + 4 - code_B, code_B);
    memcpy(app->slices + app->slices_B + code_B, nal->data, nal->size_B);
    app->slices_B += code_B + nal->size_B;
}

/* Slices of the next picture. False when there is none. */
static bool
picture_collect(struct app *app)
{
    app->slices_B = 0;
    app->slice_count = 0;
    for (;;) {
        const size_t position_B = app->position_B;
        struct nal nal;
        if (!nal_next(app->data, app->data_B, &app->position_B, &nal))
            return app->slice_count > 0;
        const uint32_t type = nal.data[0] & 31;
        const bool is_slice = type == 1 || type == 5;
        if (!is_slice && type != 7 && type != 8)
            continue;
        const size_t rbsp_B = nal_to_rbsp(&nal, app->rbsp);
        struct slice_start start;
        if (is_slice && !slice_start_parse(&start, app->sps, app->pps, app->rbsp, rbsp_B))
            continue;
        if (app->slice_count && (!is_slice || slice_starts_picture(&start, &app->start))) {
            app->position_B = position_B;
            return true;
        }
        if (!is_slice) {
            parameter_set_read(app, &nal, rbsp_B);
            continue;
        }
        if (!app->slice_count)
            app->start = start;
        slice_append(app, &nal);
    }
}

/* From the first slice. */
static void
picture_describe(struct app *app, struct picture *pic)
{
    const struct slice_start *start = &app->start;
    *pic = (struct picture){
        .fields = !start->is_field         ? FRAME
                  : start->is_bottom_field ? BOTTOM
                                           : TOP,
        .is_idr = start->nal_type == 5,
        .is_reference = start->nal_ref_idc != 0,
        .frame_num = start->frame_num,
        .poc_lsb = start->poc_lsb,
        .delta_poc_bottom = start->delta_poc_bottom,
        .delta_poc = {start->delta_poc[0], start->delta_poc[1]},
    };

    const struct pps *pps = &app->pps[start->pps_id];
    const struct rp_h264_decode_job job = {
        .sps = &app->sps[pps->std.seq_parameter_set_id].std,
        .pps = &pps->std,
    };
    size_t position_B = 0;
    struct nal nal = {app->slices, app->slice_count > 1 ? app->offsets_B[1] : app->slices_B};
    if (nal.data[0] == 0)
        REQUIRE(nal_next(app->slices, nal.size_B, &position_B, &nal));
    const size_t rbsp_B = nal_to_rbsp(&nal, app->rbsp);
    struct rp_h264dec_slice_header header;
    if (!rp_h264dec_slice_header_parse(&header, &job, app->rbsp, rbsp_B))
        return;
    pic->is_long_term_idr = header.is_long_term_idr;
    pic->has_adaptive_marking = header.has_adaptive_marking;
    pic->mmco_count = header.mmco_count;
    memcpy(pic->mmcos, header.mmcos, sizeof(pic->mmcos));
}

static void
images_fit(struct app *app, const StdVideoH264SequenceParameterSet *sps)
{
    const uint32_t width_px = (sps->pic_width_in_mbs_minus1 + 1) * 16 - app->options.crop_px;
    const uint32_t height_px =
        (sps->pic_height_in_map_units_minus1 + 1) * 16 * (sps->flags.frame_mbs_only_flag ? 1 : 2) -
        app->options.crop_px - app->options.cut_rows;
    if (width_px == app->image_width_px && height_px == app->image_height_px)
        return;
    app->image_width_px = width_px;
    app->image_height_px = height_px;
    for (uint32_t i = 0; i <= app->slot_count; i++) {
        image_init(&app->images[i], width_px, height_px, app->options.is_i420);
        if (app->options.has_targets && !app->options.is_i420)
            image_move(app, &app->images[i]);
    }
    image_init(&app->second_image, width_px, height_px, !app->options.is_i420);
    app->dpb.count = 0;
}

static bool
is_second_field(const struct app *app, const struct picture *pic)
{
    return app->has_cur && pic->fields != FRAME && (app->cur.coded_fields ^ pic->fields) == FRAME &&
           app->cur.frame_num == pic->frame_num && (app->cur.is_idr || !pic->is_idr) &&
           app->cur.is_reference >= pic->is_reference;
}

/* The picture before a non-existing frame is still there. */
static bool
has_before(const struct app *app, const struct frame *gap)
{
    for (uint32_t i = 0; i < app->dpb.count; i++) {
        const struct frame *frame = &app->dpb.frames[i];
        if (frame_is_used(frame) && frame->slot >= 0 && frame->slot == gap->before_slot &&
            frame->frame_num == gap->before_frame_num)
            return true;
    }
    return false;
}

/* FFmpeg lists the newest first, and names the image of the picture before, and counts that mean
 * nothing. */
static void
gap_list(const struct app *app, const struct frame *gap, struct rp_h264_decode_reference *ref)
{
    if (!app->options.lists_gaps_with_images || !has_before(app, gap))
        return;
    ref->slot = gap->before_slot + (int32_t)app->first_slot;
    ref->poc[0] = ref->poc[1] = 0;
    ref->is_non_existing = app->options.says_non_existing;
}

static uint32_t
references_list(const struct app *app, bool is_second,
                struct rp_h264_decode_reference refs[APP_MAX_SLOTS])
{
    const uint32_t frame_count = app->dpb.count + is_second;
    uint32_t count = 0;
    for (uint32_t i = 0; i < frame_count; i++) {
        const uint32_t at = app->options.lists_gaps_with_images ? frame_count - 1 - i : i;
        const struct frame *frame = at < app->dpb.count ? &app->dpb.frames[at] : &app->cur;
        if (!frame_is_used(frame))
            continue;
        REQUIRE(count < APP_MAX_SLOTS);
        const bool is_long_term = frame->long_fields != 0;
        const uint32_t fields = is_long_term ? frame->long_fields : frame->short_fields;
        const bool names_fields = fields != FRAME || !app->options.lists_frames_without_fields;
        refs[count++] = (struct rp_h264_decode_reference){
            .slot = frame->slot < 0 ? -1 : frame->slot + (int32_t)app->first_slot,
            .frame_num = is_long_term ? frame->long_term_frame_idx : frame->frame_num,
            .poc = {frame->coded_fields & TOP ? frame->poc[0] : INT_MAX,
                    frame->coded_fields & BOTTOM ? frame->poc[1] : INT_MAX},
            .has_top = names_fields && fields & TOP,
            .has_bottom = names_fields && fields & BOTTOM,
            .is_long_term = is_long_term,
            .is_non_existing = frame->is_non_existing,
        };
        if (frame->is_non_existing)
            gap_list(app, frame, &refs[count - 1]);
    }
    return count;
}

/* Cuts slices off or flips some of their bits. */
static void
slices_damage(struct app *app)
{
    for (uint32_t i = 0; i < app->slice_count; i++) {
        const size_t begin_B = app->offsets_B[i];
        const size_t end_B = i + 1 < app->slice_count ? app->offsets_B[i + 1] : app->slices_B;
        if (app_random(app) % 100 >= app->options.damage_percent || end_B - begin_B < 8)
            continue;
        if (app_random(app) % 4 == 0) {
            const size_t cut_B = begin_B + 4 + app_random(app) % (end_B - begin_B - 4);
            memset(app->slices + cut_B, 0, end_B - cut_B);
            if (i + 1 == app->slice_count)
                app->slices_B = cut_B;
            continue;
        }
        for (uint32_t k = 0; k < 3; k++) {
            const size_t span_B = end_B - begin_B - 4;
            const size_t near_B = app_random(app) % 2 && span_B > 24 ? 24 : span_B;
            app->slices[begin_B + 4 + app_random(app) % near_B] ^=
                (uint8_t)(1u << app_random(app) % 8);
        }
    }
}

static enum rp_codec_status
picture_decode(struct app *app, const struct picture *pic, const int32_t poc[2], bool is_second)
{
    const struct pps *pps = &app->pps[app->start.pps_id];
    struct rp_h264_decode_reference refs[APP_MAX_SLOTS];
    if (app->options.damage_percent)
        slices_damage(app);

    const bool is_kept = app->cur.slot >= 0;
    const struct image *image = frame_image(app, &app->cur);
    const struct rp_h264_decode_job job = {
        .sps = &app->sps[pps->std.seq_parameter_set_id].std,
        .pps = &pps->std,
        .is_field = pic->fields != FRAME,
        .is_bottom_field = pic->fields == BOTTOM,
        .is_idr = pic->is_idr,
        .is_reference = pic->is_reference,
        .frame_num = pic->frame_num,
        .poc = {poc[0], poc[1]},
        .common.data = guarded_copy(&app->bitstream, app->slices, app->slices_B),
        .common.data_B = app->slices_B,
        .slice_offsets_B = app->offsets_B,
        .slice_count = app->slice_count,
        .refs = refs,
        .ref_count = references_list(app, is_second, refs),
        .common.setup_slot = is_kept ? app->cur.slot + (int32_t)app->first_slot : -1,
        .common.dst = image->picture,
        .common.target =
            image->target ? target_offer(image->target) : (struct rp_decode_target){.memory = NULL},
        .common.dst_setup = app->options.has_second_output ? app->second_image.picture
                                                           : (struct rp_picture){.width_px = 0},
    };
    const enum rp_codec_status status = app->codec->decode(app->dec, &job.common);
    if (app->options.has_second_output && status == RP_CODEC_OK && pic->fields == FRAME)
        REQUIRE(picture_hash(&job.common.dst) == picture_hash(&job.common.dst_setup));
    return status;
}

static void
frame_begin(struct app *app, const struct picture *pic)
{
    const bool is_kept = pic->is_reference || app->options.keeps_non_reference;
    app->cur = (struct frame){
        .slot = is_kept ? free_slot(app) : -1,
        .frame_num = pic->frame_num,
        .is_reference = pic->is_reference,
        .is_idr = pic->is_idr,
    };
    app->has_cur = true;
}

/* A frame that is not decoded, but referred to. */
static bool
is_lost(struct app *app, const struct picture *pic)
{
    return app->options.lost_period && pic->is_reference && pic->fields == FRAME &&
           ++app->reference_count % app->options.lost_period == 0 && !pic->is_idr;
}

static void
frame_lose(struct app *app, const struct picture *pic)
{
    app->cur = (struct frame){
        .slot = -1,
        .frame_num = pic->frame_num,
        .coded_fields = FRAME,
        .is_reference = true,
        .is_non_existing = true,
    };
    app->has_cur = true;
    dpb_wrap(&app->dpb, pic->frame_num);
    dpb_find_before(&app->dpb, &app->cur);
    dpb_mark(&app->dpb, &app->cur, pic);
}

bool
app_step(struct app *app)
{
    if (!picture_collect(app)) {
        frame_complete(app);
        return false;
    }

    struct picture pic;
    picture_describe(app, &pic);
    const bool is_second = is_second_field(app, &pic);
    if (!is_second) {
        const struct pps *pps = &app->pps[app->start.pps_id];
        frame_complete(app);
        app->dpb.sps = &app->sps[pps->std.seq_parameter_set_id].std;
        images_fit(app, app->dpb.sps);
        if (pic.is_idr && app->options.resets_at_idr)
            app->codec->reset(app->dec);
        dpb_prepare(&app->dpb, &pic);
    }

    int32_t poc[2];
    dpb_picture_order(&app->dpb, &pic, poc);
    if (app->options.skips_non_reference && !pic.is_reference)
        return true;
    if (is_lost(app, &pic)) {
        frame_lose(app, &pic);
        return true;
    }
    if (!is_second) {
        frame_begin(app, &pic);
        if (app->options.moves_targets)
            image_move(app, frame_image(app, &app->cur));
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (pic.fields & (1u << i))
            app->cur.poc[i] = poc[i];
    }

    const enum rp_codec_status status = picture_decode(app, &pic, poc, is_second);
    app->picture_count++;
    app->damaged_count += status != RP_CODEC_OK;
    app->cur.coded_fields |= pic.fields;
    if (pic.is_reference)
        dpb_mark(&app->dpb, &app->cur, &pic);
    return true;
}
