/* SPDX-License-Identifier: MIT */
/* Frames of an IVF file, superframes (annex B) taken apart, and slots for their pictures.
 */
#include "app.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#define FILE_HEADER_B 32
#define FRAME_HEADER_B 12
#define MAX_SIZES 64
#define STRIDE_ALIGN_B 64u

struct frame {
    bool is_used;
    uint8_t *memory;
    struct rp_picture picture;
    uint64_t released; /* when it became free */
};

struct app {
    const struct app_options *options;
    const struct app_decoder *decoder;
    app_show_fn *show;
    void *show_context;
    struct app_result *result;
    uint64_t random;
    uint64_t time;
    struct vp9_state state;
    struct frame frames[APP_SLOTS];
    int32_t refs[STD_VIDEO_VP9_NUM_REF_FRAMES]; /* slots; -1: none */
    uint32_t sizes[MAX_SIZES];
};

static uint32_t
little_endian(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint8_t *
file_read(const char *name, size_t *size_B_out)
{
    FILE *file = fopen(name, "rb");
    REQUIRE(file && fseek(file, 0, SEEK_END) == 0);
    const size_t size_B = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(size_B + 1);
    REQUIRE(data && fread(data, 1, size_B, file) == size_B && size_B > FILE_HEADER_B);
    REQUIRE(fclose(file) == 0 && memcmp(data, "DKIF", 4) == 0);
    *size_B_out = size_B;
    return data;
}

static bool
percent(struct app *app, uint32_t n)
{
    return n > 0 && test_random(&app->random) % 100 < n;
}

static bool
is_reference(const struct app *app, int32_t slot)
{
    for (uint32_t i = 0; i < STD_VIDEO_VP9_NUM_REF_FRAMES; i++) {
        if (app->refs[i] == slot)
            return true;
    }
    return false;
}

/* Slots without a reference are free; any of those that have been so for longest. */
static int32_t
slot_take(struct app *app)
{
    int32_t found = -1;
    for (int32_t i = 0; i < APP_SLOTS; i++) {
        if (!is_reference(app, i) &&
            (found < 0 ||
             (app->options->seed % 2 ? test_random(&app->random) % 2
                                     : app->frames[i].released < app->frames[found].released)))
            found = i;
    }
    REQUIRE(found >= 0);
    return found;
}

static void
frame_init(struct app *app, struct frame *frame, const struct vp9_header *header)
{
    const uint32_t bit_depth = header->color.BitDepth;
    const uint32_t width_px = header->width_px;
    const uint32_t height_px = header->height_px;
    const size_t stride_B =
        ((width_px + 1) * (bit_depth > 8 ? 2u : 1u) + STRIDE_ALIGN_B - 1) & ~(STRIDE_ALIGN_B - 1);
    const size_t luma_B = stride_B * height_px;
    const size_t chroma_B = stride_B * ((height_px + 1) / 2);
    free(frame->memory);
    frame->memory = aligned_alloc(STRIDE_ALIGN_B, luma_B + 2 * chroma_B);
    REQUIRE(frame->memory);
    memset(frame->memory, 0x55, luma_B + 2 * chroma_B);
    frame->picture = (struct rp_picture){
        .layout = app->options->is_planar && bit_depth == 8 ? RP_PICTURE_I420 : RP_PICTURE_NV12,
        .bit_depth = bit_depth,
        .width_px = width_px,
        .height_px = height_px,
        .plane = {{frame->memory, stride_B},
                  {frame->memory + luma_B, stride_B},
                  {frame->memory + luma_B + chroma_B, stride_B}},
    };
}

static void
count_size(struct app *app, const struct vp9_header *header)
{
    const uint32_t size = header->width_px << 16 | header->height_px;
    for (uint32_t i = 0; i < app->result->sizes; i++) {
        if (app->sizes[i] == size)
            return;
    }
    REQUIRE(app->result->sizes < MAX_SIZES);
    app->sizes[app->result->sizes++] = size;
}

static void
show(struct app *app, int32_t slot)
{
    app->result->shown_count++;
    if (slot >= 0 && app->frames[slot].memory)
        app->show(app->show_context, &app->frames[slot].picture);
}

static void
decode(struct app *app, const struct vp9_header *header, const uint8_t *data, size_t data_B)
{
    const bool is_intra =
        header->std.frame_type == STD_VIDEO_VP9_FRAME_TYPE_KEY || header->std.flags.intra_only;
    struct app_job job = {
        .header = header, .setup_slot = slot_take(app), .data = data, .data_B = data_B};
    struct frame *frame = &app->frames[job.setup_slot];
    for (uint32_t i = 0; i < STD_VIDEO_VP9_REFS_PER_FRAME; i++)
        job.name_slots[i] = is_intra ? -1 : app->refs[header->ref_frame_idx[i]];
    for (int32_t i = 0; i < APP_SLOTS; i++)
        job.slots_in_use |= (uint32_t)is_reference(app, i) << i;
    frame_init(app, frame, header);
    job.dst = frame->picture;

    const bool is_lost = header->std.frame_type != STD_VIDEO_VP9_FRAME_TYPE_KEY &&
                         percent(app, app->options->lost_percent);
    if (!is_lost)
        app->result->failed_count +=
            app->decoder->decode(app->decoder->context, &job) != RP_CODEC_OK;
    app->result->picture_count++;
    count_size(app, header);
    for (uint32_t i = 0; i < STD_VIDEO_VP9_NUM_REF_FRAMES; i++) {
        if (header->std.refresh_frame_flags >> i & 1)
            app->refs[i] = job.setup_slot;
    }
    if (header->std.flags.show_frame)
        show(app, job.setup_slot);
    for (uint32_t i = 0; i < APP_SLOTS; i++) {
        if (is_reference(app, (int32_t)i))
            app->frames[i].released = app->time;
    }
}

static void
frame_decode(struct app *app, uint8_t *data, size_t data_B)
{
    struct vp9_header header;
    app->time++;
    REQUIRE(vp9_header_read(&app->state, data, data_B, &header));
    if (header.shows_existing) {
        app->result->existing_count++;
        show(app, app->refs[header.existing]);
        return;
    }
    const size_t headers_B = (size_t)header.uncompressed_B + header.compressed_B;
    REQUIRE(header.compressed_B > 0 && headers_B < data_B);
    if (percent(app, app->options->damage_percent)) {
        for (uint32_t i = 0; i < 3; i++)
            data[header.uncompressed_B +
                 test_random(&app->random) % (data_B - header.uncompressed_B)] ^=
                (uint8_t)(1u << test_random(&app->random) % 8);
    }
    decode(app, &header, data, data_B);
}

/* One or several frames. */
static void
packet_decode(struct app *app, uint8_t *data, size_t data_B)
{
    const uint8_t marker = data[data_B - 1];
    const uint32_t count = (marker & 7u) + 1;
    const uint32_t size_of_sizes_B = (marker >> 3 & 3u) + 1;
    const size_t index_B = 2 + (size_t)size_of_sizes_B * count;
    if ((marker & 0xe0) != 0xc0 || data_B < index_B || data[data_B - index_B] != marker) {
        frame_decode(app, data, data_B);
        return;
    }
    const uint8_t *sizes = data + data_B - index_B + 1;
    size_t at_B = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t frame_B = 0;
        for (uint32_t k = 0; k < size_of_sizes_B; k++)
            frame_B |= (size_t)*sizes++ << 8 * k;
        REQUIRE(frame_B <= data_B - index_B - at_B);
        if (frame_B > 0)
            frame_decode(app, data + at_B, frame_B);
        at_B += frame_B;
    }
}

void
app_run(const char *name, const struct app_options *options, const struct app_decoder *decoder,
        app_show_fn *show_picture, void *show_context, struct app_result *out)
{
    size_t file_B;
    uint8_t *file = file_read(name, &file_B);
    struct app app = {
        .options = options,
        .decoder = decoder,
        .show = show_picture,
        .show_context = show_context,
        .result = out,
        .random = options->seed,
    };
    *out = (struct app_result){.picture_count = 0};
    for (uint32_t i = 0; i < STD_VIDEO_VP9_NUM_REF_FRAMES; i++)
        app.refs[i] = -1;
    for (size_t at_B = FILE_HEADER_B; at_B + FRAME_HEADER_B <= file_B;) {
        const size_t packet_B = little_endian(file + at_B);
        at_B += FRAME_HEADER_B;
        REQUIRE(packet_B <= file_B - at_B);
        if (packet_B > 0)
            packet_decode(&app, file + at_B, packet_B);
        at_B += packet_B;
    }
    for (uint32_t i = 0; i < APP_SLOTS; i++)
        free(app.frames[i].memory);
    free(file);
}

uint32_t
app_bit_depth(const char *name)
{
    size_t file_B;
    uint8_t *file = file_read(name, &file_B);
    struct vp9_state state = {.last_width_px = 0};
    struct vp9_header header;
    const size_t begin_B = FILE_HEADER_B + FRAME_HEADER_B;
    REQUIRE(file_B > begin_B && vp9_header_read(&state, file + begin_B, file_B - begin_B, &header));
    free(file);
    return header.color.BitDepth;
}

uint64_t
app_hash_row(uint64_t hash, const void *row, size_t size_B)
{
    const uint64_t prime = 0x100000001b3u;
    const uint8_t *bytes = row;
    for (size_t i = 0; i < size_B; i++)
        hash = ((hash ? hash : 0xcbf29ce484222325u) ^ bytes[i]) * prime;
    return hash;
}

static uint64_t
hash_plane(uint64_t hash, const struct rp_picture *picture, uint32_t plane, uint32_t first,
           uint32_t step)
{
    const uint32_t sample_B = picture->bit_depth > 8 ? 2 : 1;
    const uint32_t shift = plane > 0;
    const uint32_t width = (picture->width_px + shift) >> shift;
    uint8_t *row = malloc((size_t)width * sample_B);
    REQUIRE(row);
    for (uint32_t y = 0; y < (picture->height_px + shift) >> shift; y++) {
        const uint8_t *src = picture->plane[plane].data + y * picture->plane[plane].stride_B;
        for (uint32_t x = 0; x < width; x++)
            memcpy(row + x * sample_B, src + (x * step + first) * sample_B, sample_B);
        hash = app_hash_row(hash, row, (size_t)width * sample_B);
    }
    free(row);
    return hash;
}

uint64_t
app_hash(const struct rp_picture *picture)
{
    uint64_t hash = hash_plane(0, picture, 0, 0, 1);
    for (uint32_t i = 0; i < 2; i++)
        hash = picture->layout == RP_PICTURE_I420 ? hash_plane(hash, picture, 1 + i, 0, 1)
                                                  : hash_plane(hash, picture, 1, i, 2);
    return hash;
}
