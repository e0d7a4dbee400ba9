/* SPDX-License-Identifier: MIT */
/* Fuzz target: copies, fills and clears between images and buffers of any kind, against a model
 * that moves one block at a time. Every other command names its buffer by the address; what was
 * read for other ends says which, so that the seeds mean what they meant.
 */
#include "by_address.h"
#include "fixture.h"
#include "target.h"
#include "transfer_formats.h"

#define IMAGE_COUNT 6u
#define BUFFER_B (256u << 10)
#define OPERATIONS 60u
#define MAX_LEVELS 7u

struct model_image {
    struct test_image img;
    const struct format_kind *kind;
    bool is_3d;
    /* Blocks of a plane's level: [slice][row][column], slices of depth or layers. */
    uint8_t *blocks[MAX_PLANES][MAX_LEVELS];
};

struct fuzz {
    struct fixture *f;
    struct input *in;
    struct model_image images[IMAGE_COUNT];
    struct test_buffer bufs[2];
    uint8_t *model_bufs[2];
    uint32_t recorded_count;
};

static uint32_t
below(struct fuzz *z, uint32_t limit)
{
    return input_below(z->in, limit);
}

static uint32_t
shrink(uint32_t value, uint32_t level)
{
    return value >> level ? value >> level : 1;
}

/* Texels of a plane's level. */
static VkExtent3D
level_extent(const struct model_image *m, uint32_t plane, uint32_t level)
{
    const struct plane_kind *p = &m->kind->planes[plane];
    const VkExtent3D base = m->img.info.extent;
    return (VkExtent3D){
        (shrink(base.width, level) + (1u << p->shift_x) - 1) >> p->shift_x,
        (shrink(base.height, level) + (1u << p->shift_y) - 1) >> p->shift_y,
        shrink(base.depth, level),
    };
}

static uint32_t
slice_count(const struct model_image *m, uint32_t level)
{
    return m->is_3d ? shrink(m->img.info.extent.depth, level) : m->img.info.arrayLayers;
}

static uint8_t *
block_at(const struct model_image *m, uint32_t plane, uint32_t level, uint32_t column, uint32_t row,
         uint32_t slice)
{
    const struct plane_kind *p = &m->kind->planes[plane];
    const VkExtent3D e = level_extent(m, plane, level);
    const uint32_t columns = (e.width + p->block_px - 1) / p->block_px;
    const uint32_t rows = (e.height + p->block_px - 1) / p->block_px;
    REQUIRE(column < columns && row < rows && slice < slice_count(m, level));
    return m->blocks[plane][level] + (((size_t)slice * rows + row) * columns + column) * p->block_B;
}

/* A box of blocks of one plane and level; Vulkan's words for it are made when it is used. */
struct box {
    uint32_t image, plane, level;
    uint32_t column, row, slice;
    uint32_t columns, rows, slices;
};

static VkExtent3D
box_limits(const struct fuzz *z, const struct box *b)
{
    const struct model_image *m = &z->images[b->image];
    const struct plane_kind *p = &m->kind->planes[b->plane];
    const VkExtent3D e = level_extent(m, b->plane, b->level);
    return (VkExtent3D){(e.width + p->block_px - 1) / p->block_px,
                        (e.height + p->block_px - 1) / p->block_px, slice_count(m, b->level)};
}

static struct box
random_box(struct fuzz *z)
{
    struct box b = {.image = below(z, IMAGE_COUNT)};
    const struct model_image *m = &z->images[b.image];
    b.plane = below(z, m->kind->plane_count);
    b.level = below(z, m->img.info.mipLevels);
    const VkExtent3D limits = box_limits(z, &b);
    b.column = below(z, limits.width);
    b.row = below(z, limits.height);
    b.slice = below(z, limits.depth);
    b.columns = 1 + below(z, limits.width - b.column);
    b.rows = 1 + below(z, limits.height - b.row);
    b.slices = 1 + below(z, limits.depth - b.slice);
    return b;
}

static VkImageSubresourceLayers
box_layers(const struct fuzz *z, const struct box *b)
{
    const struct model_image *m = &z->images[b->image];
    return (VkImageSubresourceLayers){m->kind->planes[b->plane].aspect, b->level,
                                      m->is_3d ? 0 : b->slice, m->is_3d ? 1 : b->slices};
}

static VkOffset3D
box_offset(const struct fuzz *z, const struct box *b)
{
    const struct model_image *m = &z->images[b->image];
    const int32_t block_px = (int32_t)m->kind->planes[b->plane].block_px;
    return (VkOffset3D){(int32_t)b->column * block_px, (int32_t)b->row * block_px,
                        m->is_3d ? (int32_t)b->slice : 0};
}

/* Whole blocks, but for those that the edge cuts. */
static VkExtent3D
box_extent(const struct fuzz *z, const struct box *b)
{
    const struct model_image *m = &z->images[b->image];
    const uint32_t block_px = m->kind->planes[b->plane].block_px;
    const VkExtent3D e = level_extent(m, b->plane, b->level);
    const uint32_t width = e.width - b->column * block_px;
    const uint32_t height = e.height - b->row * block_px;
    return (VkExtent3D){b->columns * block_px < width ? b->columns * block_px : width,
                        b->rows * block_px < height ? b->rows * block_px : height,
                        m->is_3d ? b->slices : 1};
}

static void
flush(struct fuzz *z)
{
    test_submit_and_wait(z->f);
    test_begin(z->f);
    z->recorded_count = 0;
}

/* Linear memory beside a box: pitches in blocks, the offset in bytes. */
struct linear {
    uint32_t row_blocks, slice_rows, offset_B;
    uint32_t row_length_px, image_height_px; /* as Vulkan wants them; 0 is tight */
};

static struct linear
random_linear(struct fuzz *z, const struct box *b, bool is_tight)
{
    const struct plane_kind *p = &z->images[b->image].kind->planes[b->plane];
    const bool has_pitch = !is_tight && below(z, 2);
    struct linear l = {.row_blocks = b->columns, .slice_rows = b->rows};
    if (has_pitch) {
        l.row_blocks += below(z, 5);
        l.slice_rows += below(z, 4);
        l.row_length_px = l.row_blocks * p->block_px;
        l.image_height_px = l.slice_rows * p->block_px;
    }
    l.offset_B = below(z, 64) * 16; /* a multiple of every block size */
    REQUIRE(l.offset_B + (uint64_t)l.row_blocks * l.slice_rows * b->slices * p->block_B <=
            BUFFER_B);
    return l;
}

static void
model_linear(struct fuzz *z, const struct box *b, const struct linear *l, uint8_t *bytes,
             bool to_image)
{
    const struct model_image *m = &z->images[b->image];
    const uint32_t block_B = m->kind->planes[b->plane].block_B;
    for (uint32_t s = 0; s < b->slices; s++) {
        for (uint32_t r = 0; r < b->rows; r++) {
            for (uint32_t c = 0; c < b->columns; c++) {
                uint8_t *block =
                    block_at(m, b->plane, b->level, b->column + c, b->row + r, b->slice + s);
                uint8_t *place = bytes + l->offset_B +
                                 (((size_t)s * l->slice_rows + r) * l->row_blocks + c) * block_B;
                if (to_image)
                    memcpy(block, place, block_B);
                else
                    memcpy(place, block, block_B);
            }
        }
    }
}

static void
copy_with_buffer(struct fuzz *z, bool to_image)
{
    const struct box b = random_box(z);
    const struct linear l = random_linear(z, &b, false);
    const uint32_t i = below(z, 2);
    const VkBufferImageCopy region = {
        .bufferOffset = l.offset_B,
        .bufferRowLength = l.row_length_px,
        .bufferImageHeight = l.image_height_px,
        .imageSubresource = box_layers(z, &b),
        .imageOffset = box_offset(z, &b),
        .imageExtent = box_extent(z, &b),
    };
    const VkImage img = z->images[b.image].img.handle;
    const VkDeviceAddressRangeKHR range =
        test_address_range(z->f, z->bufs[i].handle, l.offset_B, BUFFER_B - l.offset_B);
    if (l.offset_B & 16 && to_image)
        copy_memory_to_image(z->f->cb, range, img, &region);
    else if (l.offset_B & 16)
        copy_image_to_memory(z->f->cb, img, range, &region);
    else if (to_image)
        vkCmdCopyBufferToImage(z->f->cb, z->bufs[i].handle, img, VK_IMAGE_LAYOUT_GENERAL, 1,
                               &region);
    else
        vkCmdCopyImageToBuffer(z->f->cb, img, VK_IMAGE_LAYOUT_GENERAL, z->bufs[i].handle, 1,
                               &region);
    model_linear(z, &b, &l, z->model_bufs[i], to_image);
}

static void
host_copy(struct fuzz *z, bool to_image)
{
    static uint8_t bytes[BUFFER_B];
    static uint64_t content;
    const struct box b = random_box(z);
    struct linear l = random_linear(z, &b, false);
    flush(z);
    if (to_image) {
        for (uint32_t i = 0; i < BUFFER_B; i += 61)
            bytes[i] = (uint8_t)test_random(&content);
        const VkMemoryToImageCopy region = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY,
            .pHostPointer = bytes + l.offset_B,
            .memoryRowLength = l.row_length_px,
            .memoryImageHeight = l.image_height_px,
            .imageSubresource = box_layers(z, &b),
            .imageOffset = box_offset(z, &b),
            .imageExtent = box_extent(z, &b),
        };
        const VkCopyMemoryToImageInfo info = {
            .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO,
            .dstImage = z->images[b.image].img.handle,
            .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
            .regionCount = 1,
            .pRegions = &region,
        };
        REQUIRE_EQ(vkCopyMemoryToImage(z->f->dev, &info), VK_SUCCESS);
        model_linear(z, &b, &l, bytes, true);
        return;
    }
    static uint8_t expected[BUFFER_B];
    const VkImageToMemoryCopy region = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY,
        .pHostPointer = bytes + l.offset_B,
        .memoryRowLength = l.row_length_px,
        .memoryImageHeight = l.image_height_px,
        .imageSubresource = box_layers(z, &b),
        .imageOffset = box_offset(z, &b),
        .imageExtent = box_extent(z, &b),
    };
    const VkCopyImageToMemoryInfo info = {
        .sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO,
        .srcImage = z->images[b.image].img.handle,
        .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .regionCount = 1,
        .pRegions = &region,
    };
    memcpy(expected, bytes, BUFFER_B);
    model_linear(z, &b, &l, expected, false);
    REQUIRE_EQ(vkCopyImageToMemory(z->f->dev, &info), VK_SUCCESS);
    REQUIRE_BYTES(bytes, expected, BUFFER_B);
}

static uint32_t
smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Depth goes to the same depth format alone; colours and planes go where blocks are as large. */
static bool
may_copy(const struct fuzz *z, const struct box *a, const struct box *b)
{
    const struct format_kind *from = z->images[a->image].kind, *to = z->images[b->image].kind;
    const struct plane_kind *p = &from->planes[a->plane], *q = &to->planes[b->plane];
    const VkImageAspectFlags depth_stencil =
        VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    if (a->image == b->image || p->block_B != q->block_B)
        return false;
    if ((p->aspect | q->aspect) & depth_stencil)
        return from == to && p->aspect == q->aspect;
    return true;
}

static void
copy_images(struct fuzz *z)
{
    struct box a = random_box(z), b = random_box(z);
    if (!may_copy(z, &a, &b))
        return;
    a.columns = b.columns = smaller(a.columns, b.columns);
    a.rows = b.rows = smaller(a.rows, b.rows);
    a.slices = b.slices = smaller(a.slices, b.slices);
    const struct model_image *from = &z->images[a.image], *to = &z->images[b.image];

    /* Texels that an edge cuts from a block must be cut on both sides. */
    const uint32_t from_px = from->kind->planes[a.plane].block_px;
    const uint32_t to_px = to->kind->planes[b.plane].block_px;
    VkExtent3D extent = box_extent(z, &a);
    const VkExtent3D other = box_extent(z, &b);
    if (from_px == to_px && (extent.width != other.width || extent.height != other.height))
        return;
    if (from->is_3d || to->is_3d)
        extent.depth = a.slices;
    const VkImageCopy region = {
        .srcSubresource = box_layers(z, &a),
        .srcOffset = box_offset(z, &a),
        .dstSubresource = box_layers(z, &b),
        .dstOffset = box_offset(z, &b),
        .extent = extent,
    };
    vkCmdCopyImage(z->f->cb, from->img.handle, VK_IMAGE_LAYOUT_GENERAL, to->img.handle,
                   VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    for (uint32_t s = 0; s < a.slices; s++) {
        for (uint32_t r = 0; r < a.rows; r++) {
            for (uint32_t c = 0; c < a.columns; c++) {
                memcpy(block_at(to, b.plane, b.level, b.column + c, b.row + r, b.slice + s),
                       block_at(from, a.plane, a.level, a.column + c, a.row + r, a.slice + s),
                       from->kind->planes[a.plane].block_B);
            }
        }
    }
}

/* Of the UINT formats, whose packing is plain. */
static void
clear_image(struct fuzz *z)
{
    const uint32_t i = below(z, IMAGE_COUNT);
    struct model_image *m = &z->images[i];
    const VkFormat format = m->kind->format;
    if (format != VK_FORMAT_R8_UINT && format != VK_FORMAT_R8G8B8A8_UINT &&
        format != VK_FORMAT_R32G32_UINT && format != VK_FORMAT_R32G32B32A32_UINT)
        return;
    const uint32_t level = below(z, m->img.info.mipLevels);
    const uint32_t first = m->is_3d ? 0 : below(z, m->img.info.arrayLayers);
    const VkClearColorValue color = {
        .uint32 = {below(z, 256), below(z, 256), below(z, 256), below(z, 256)}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, first,
                                           VK_REMAINING_ARRAY_LAYERS};
    vkCmdClearColorImage(z->f->cb, m->img.handle, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);

    const VkExtent3D e = level_extent(m, 0, level);
    const uint32_t block_B = m->kind->planes[0].block_B;
    const uint32_t channel_B =
        format == VK_FORMAT_R8_UINT || format == VK_FORMAT_R8G8B8A8_UINT ? 1 : 4;
    for (uint32_t s = first; s < slice_count(m, level); s++) {
        for (uint32_t y = 0; y < e.height; y++) {
            for (uint32_t x = 0; x < e.width; x++) {
                for (uint32_t k = 0; k < block_B / channel_B; k++)
                    memcpy(block_at(m, 0, level, x, y, s) + k * channel_B, &color.uint32[k],
                           channel_B);
            }
        }
    }
}

static void
fill_buffer(struct fuzz *z)
{
    const uint32_t i = below(z, 2), offset = below(z, BUFFER_B / 4), word = input_u32(z->in);
    const uint32_t count = below(z, BUFFER_B / 4 - offset) + 1;
    const VkDeviceAddressRangeKHR range =
        test_address_range(z->f, z->bufs[i].handle, offset * 4, count * 4);
    if (word & 1)
        vkCmdFillMemoryKHR(z->f->cb, &range, 0, word);
    else
        vkCmdFillBuffer(z->f->cb, z->bufs[i].handle, offset * 4, count * 4, word);
    for (uint32_t k = 0; k < count; k++)
        memcpy(z->model_bufs[i] + (offset + k) * 4, &word, 4);
}

static void
copy_buffer(struct fuzz *z)
{
    const uint32_t i = below(z, 2);
    const uint32_t size_B = 1 + below(z, BUFFER_B / 2);
    const VkBufferCopy region = {below(z, BUFFER_B - size_B), below(z, BUFFER_B - size_B), size_B};
    if (size_B & 1)
        copy_memory(z->f->cb, test_address_range(z->f, z->bufs[i].handle, region.srcOffset, size_B),
                    test_address_range(z->f, z->bufs[1 - i].handle, region.dstOffset, size_B));
    else
        vkCmdCopyBuffer(z->f->cb, z->bufs[i].handle, z->bufs[1 - i].handle, 1, &region);
    memcpy(z->model_bufs[1 - i] + region.dstOffset, z->model_bufs[i] + region.srcOffset, size_B);
}

static bool
image_is_supported(struct fuzz *z, const VkImageCreateInfo *info)
{
    VkImageFormatProperties p;
    return vkGetPhysicalDeviceImageFormatProperties(z->f->pdev, info->format, info->imageType,
                                                    info->tiling, info->usage, info->flags,
                                                    &p) == VK_SUCCESS &&
           info->mipLevels <= p.maxMipLevels && info->arrayLayers <= p.maxArrayLayers;
}

static VkImageCreateInfo
random_image_info(struct fuzz *z, const struct format_kind *kind)
{
    VkImageCreateInfo info =
        test_image_info(kind->format, 2 + 2 * below(z, 24), 2 + 2 * below(z, 20));
    info.usage |= VK_IMAGE_USAGE_HOST_TRANSFER_BIT;
    info.tiling = below(z, 4) ? VK_IMAGE_TILING_OPTIMAL : VK_IMAGE_TILING_LINEAR;
    info.arrayLayers = 1 + below(z, 4);
    if (kind->plane_count > 1 && (kind->planes[0].aspect & VK_IMAGE_ASPECT_PLANE_0_BIT))
        return info;
    while (info.mipLevels < MAX_LEVELS &&
           (info.extent.width | info.extent.height) >> info.mipLevels && below(z, 3))
        info.mipLevels++;
    if (kind->planes[0].aspect == VK_IMAGE_ASPECT_COLOR_BIT && kind->planes[0].block_px == 1) {
        info.imageType = (VkImageType)below(z, 3);
        if (info.imageType == VK_IMAGE_TYPE_1D) {
            info.extent.height = 1;
            while (info.mipLevels > 1 && !(info.extent.width >> (info.mipLevels - 1)))
                info.mipLevels--;
        } else if (info.imageType == VK_IMAGE_TYPE_3D) {
            info.arrayLayers = 1;
            info.extent.depth = 1 + below(z, 6);
        }
    }
    return info;
}

static void
image_create(struct fuzz *z, struct model_image *m)
{
    VkImageCreateInfo info;
    do {
        m->kind = &format_kinds[below(z, FORMAT_COUNT)];
        info = random_image_info(z, m->kind);
    } while (!image_is_supported(z, &info));
    m->img = test_image_create_with(z->f, &info);
    m->is_3d = info.imageType == VK_IMAGE_TYPE_3D;
    for (uint32_t plane = 0; plane < m->kind->plane_count; plane++) {
        for (uint32_t level = 0; level < info.mipLevels; level++) {
            const VkExtent3D e = level_extent(m, plane, level);
            /* Memory of a new image is zero, as everything that we allocate. */
            m->blocks[plane][level] = calloc((size_t)e.width * e.height * slice_count(m, level),
                                             m->kind->planes[plane].block_B);
        }
    }
}

static void
image_check(struct fuzz *z, uint32_t image)
{
    struct model_image *m = &z->images[image];
    for (uint32_t plane = 0; plane < m->kind->plane_count; plane++) {
        for (uint32_t level = 0; level < m->img.info.mipLevels; level++) {
            struct box b = {.image = image, .plane = plane, .level = level};
            const VkExtent3D limits = box_limits(z, &b);
            b.columns = limits.width;
            b.rows = limits.height;
            b.slices = limits.depth;
            const struct linear l = {.row_blocks = b.columns, .slice_rows = b.rows};
            const VkBufferImageCopy region = {
                .imageSubresource = box_layers(z, &b),
                .imageExtent = box_extent(z, &b),
            };
            vkCmdCopyImageToBuffer(z->f->cb, m->img.handle, VK_IMAGE_LAYOUT_GENERAL,
                                   z->bufs[0].handle, 1, &region);
            model_linear(z, &b, &l, z->model_bufs[0], false);
            flush(z);
            REQUIRE_BYTES(z->bufs[0].bytes, z->model_bufs[0], BUFFER_B);
        }
    }
}

static void
image_destroy(struct fuzz *z, struct model_image *m)
{
    for (uint32_t plane = 0; plane < MAX_PLANES; plane++) {
        for (uint32_t level = 0; level < MAX_LEVELS; level++)
            free(m->blocks[plane][level]);
    }
    test_image_destroy(z->f, &m->img);
}

static void
operation(struct fuzz *z)
{
    switch (below(z, 10)) {
    case 0:
        fill_buffer(z);
        break;
    case 1:
        copy_buffer(z);
        break;
    case 2:
        clear_image(z);
        break;
    case 3:
        host_copy(z, below(z, 2));
        break;
    case 4:
    case 5:
        copy_with_buffer(z, false);
        break;
    case 6:
    case 7:
        copy_with_buffer(z, true);
        break;
    default:
        copy_images(z);
        break;
    }
    if (++z->recorded_count > below(z, 12))
        flush(z);
}

static void
run(struct fixture *f, struct input *in)
{
    struct fuzz z = {.f = f, .in = in};
    uint64_t content = 1;
    for (uint32_t i = 0; i < 2; i++) {
        z.bufs[i] = test_buffer_create(f, BUFFER_B, 0);
        z.model_bufs[i] = malloc(BUFFER_B);
        for (uint32_t k = 0; k < BUFFER_B; k++)
            z.bufs[i].bytes[k] = (uint8_t)test_random(&content);
        memcpy(z.model_bufs[i], z.bufs[i].bytes, BUFFER_B);
    }
    for (uint32_t i = 0; i < IMAGE_COUNT; i++)
        image_create(&z, &z.images[i]);

    test_begin(f);
    for (uint32_t i = 0; i < OPERATIONS && in->size_B; i++)
        operation(&z);
    flush(&z);
    for (uint32_t i = 0; i < 2; i++)
        REQUIRE_BYTES(z.bufs[i].bytes, z.model_bufs[i], BUFFER_B);
    for (uint32_t i = 0; i < IMAGE_COUNT; i++)
        image_check(&z, i);
    test_submit_and_wait(f);

    for (uint32_t i = 0; i < IMAGE_COUNT; i++)
        image_destroy(&z, &z.images[i]);
    for (uint32_t i = 0; i < 2; i++) {
        test_buffer_destroy(f, &z.bufs[i]);
        free(z.model_bufs[i]);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
    static struct fixture f;
    struct input in = {data, size_B};
    if (!f.dev)
        fixture_init(&f);
    run(&f, &in);
    return 0;
}
