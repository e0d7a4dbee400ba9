/* SPDX-License-Identifier: MIT */
/* What a large dispatch writes is there for a copy behind a barrier, and that copy is not touched
 * by the dispatch behind the next.
 */
#include "compute.h"

#include "api_shaders.h"

#define WORDS (UINT32_C(1) << 21) /* 8 MiB */
#define ROUNDS 4u

static void
order(struct fixture *f, VkPipelineStageFlags src, VkAccessFlags src_access,
      VkPipelineStageFlags dst, VkAccessFlags dst_access)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = src_access,
                                     .dstAccessMask = dst_access};
    vkCmdPipelineBarrier(f->cb, src, dst, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static void
fill(struct fixture *f, const struct compute *c, uint32_t factor)
{
    vkCmdPushConstants(f->cb, c->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &factor);
    vkCmdDispatch(f->cb, WORDS / 64, 1, 1);
}

static void
run_round(struct fixture *f, const struct compute *c, VkPipeline pipeline,
          const struct test_buffer *copy, uint32_t factor)
{
    const VkBufferCopy whole = {.size = WORDS * 4};
    compute_begin(f, c, pipeline, factor);
    vkCmdDispatch(f->cb, WORDS / 64, 1, 1);
    order(f, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
          VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    vkCmdCopyBuffer(f->cb, c->buf.handle, copy->handle, 1, &whole);
    order(f, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0);
    fill(f, c, factor + 2);
    order(f, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
          VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    order(f, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
          VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    test_submit_and_wait(f);

    uint32_t wrong = 0;
    for (uint32_t i = 0; i < WORDS; i++)
        wrong += copy->words[i] != i * factor || c->buf.words[i] != i * (factor + 2);
    REQUIRE_EQ(wrong, 0);
}

int
main(void)
{
    struct fixture f = {0};
    struct compute c;
    fixture_init(&f);
    compute_init(&f, &c);
    test_buffer_destroy(&f, &c.buf);
    c.buf = test_buffer_create(&f, WORDS * 4, 0xee);
    struct test_buffer copy = test_buffer_create(&f, WORDS * 4, 0xee);
    const VkDescriptorBufferInfo range = {c.buf.handle, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = c.set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &range,
    };
    vkUpdateDescriptorSets(f.dev, 1, &write, 0, NULL);
    VkPipeline pipeline = compute_pipeline(&f, &c, spirv_fill, sizeof(spirv_fill));

    for (uint32_t i = 0; i < ROUNDS; i++)
        run_round(&f, &c, pipeline, &copy, 2654435761u + 8 * i);
    vkDestroyPipeline(f.dev, pipeline, f.alloc);
    test_buffer_destroy(&f, &copy);
    compute_finish(&f, &c);
    fixture_finish(&f);
    return 0;
}
