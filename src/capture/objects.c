/* SPDX-License-Identifier: MIT */
#include "capture/objects.h"

#include "capture/kernel_scan.h"
#include "object/memory.h"
#include "object/sampler.h"
#include "util/alloc.h"
#include "util/hash.h"
#include "util/struct_json.h"

#define FIRST_BUCKETS 256u

static uint32_t
bucket_of(const struct rp_capture_device *c, const void *handle)
{
    return (uint32_t)rp_hash_mix(0, (uintptr_t)handle) & (c->bucket_count - 1);
}

struct rp_capture_object *
rp_capture_find(const struct rp_capture_device *c, const void *handle)
{
    struct rp_capture_object *object = c->bucket_count ? c->buckets[bucket_of(c, handle)] : NULL;
    while (object && object->obj != handle)
        object = object->next_in_bucket;
    return object;
}

bool
rp_capture_is_bound(const struct rp_capture_object *object)
{
    uint32_t needed = 1;
    if (object->obj->type == VK_OBJECT_TYPE_IMAGE) {
        const struct rp_image *img = (const struct rp_image *)object->obj;
        needed = img->is_disjoint ? img->plane_count : 1;
    }
    return object->memory_count >= needed;
}

static bool
buckets_grow(struct rp_capture_device *c)
{
    const uint32_t old_count = c->bucket_count;
    struct rp_capture_object **old = c->buckets;
    const uint32_t count = old_count ? 2 * old_count : FIRST_BUCKETS;
    struct rp_capture_object **buckets = rp_zalloc_array(
        NULL, count, sizeof(struct rp_capture_object *), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!buckets)
        return false;
    c->buckets = buckets;
    c->bucket_count = count;
    for (uint32_t i = 0; i < old_count; i++) {
        while (old[i]) {
            struct rp_capture_object *object = old[i];
            struct rp_capture_object **head = &buckets[bucket_of(c, object->obj)];
            old[i] = object->next_in_bucket;
            object->next_in_bucket = *head;
            *head = object;
        }
    }
    rp_free(NULL, old);
    return true;
}

static struct rp_capture_object *
object_add(struct rp_capture_device *c, struct rp_object *obj)
{
    if (c->object_count >= c->bucket_count && !buckets_grow(c))
        return NULL;
    struct rp_capture_object *object =
        rp_zalloc(NULL, sizeof(*object), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!object)
        return NULL;
    struct rp_capture_object **head = &c->buckets[bucket_of(c, obj)];
    object->id = c->next_id++;
    object->obj = obj;
    object->next_in_bucket = *head;
    *head = object;
    c->object_count++;
    obj->capture_id = object->id;
    return object;
}

static void
spans_forget(struct rp_capture_device *c)
{
    for (uint32_t i = 0; i < RP_CAPTURE_LIST_COUNT; i++)
        c->spans_are_current[i] = false;
}

static void
object_list(struct rp_capture_device *c, struct rp_capture_object *object,
            enum rp_capture_list which)
{
    struct rp_capture_object *first = c->lists[which];
    object->next_in_list = first;
    if (first)
        first->link_in_list = &object->next_in_list;
    object->link_in_list = &c->lists[which];
    c->lists[which] = object;
    spans_forget(c);
}

/* Some applications destroy what a submission still reaches. */
static void
object_forget_touches(struct rp_capture_device *c, const struct rp_capture_object *object)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->touch_count; i++) {
        if (c->touches[i].object != object)
            c->touches[count++] = c->touches[i];
    }
    c->touch_count = count;
}

static void
object_free(struct rp_capture_device *c, struct rp_capture_object *object)
{
    object_forget_touches(c, object);
    if (object->link_in_list) {
        spans_forget(c);
        *object->link_in_list = object->next_in_list;
        if (object->next_in_list)
            object->next_in_list->link_in_list = object->link_in_list;
    }
    rp_free(NULL, object->hashes);
    rp_free(NULL, object);
}

static void
object_remove(struct rp_capture_device *c, struct rp_capture_object *object)
{
    struct rp_capture_object **link = &c->buckets[bucket_of(c, object->obj)];
    while (*link != object)
        link = &(*link)->next_in_bucket;
    *link = object->next_in_bucket;
    c->object_count--;
    object_free(c, object);
}

void
rp_capture_objects_finish(struct rp_capture_device *c)
{
    for (uint32_t i = 0; i < c->bucket_count; i++) {
        while (c->buckets[i]) {
            struct rp_capture_object *object = c->buckets[i];
            c->buckets[i] = object->next_in_bucket;
            object->obj->capture_id = 0; /* leaked by the application */
            object_free(c, object);
        }
    }
    rp_free(NULL, c->buckets);
    for (uint32_t i = 0; i < RP_CAPTURE_LIST_COUNT; i++)
        rp_spans_finish(&c->spans[i]);
}

static struct rp_json *
line_begin(struct rp_capture_device *c, uint32_t id)
{
    struct rp_json *json = &c->object_json;
    rp_json_reset(json);
    rp_json_open(json, '{');
    rp_json_key_u64(json, "id", id);
    return json;
}

static void
line_end(struct rp_capture_device *c)
{
    struct rp_json *json = &c->object_json;
    rp_json_close(json, '}');
    rp_json_line_end(json);
    if (c->has_ended)
        return;
    if (json->is_out_of_memory ||
        !rp_writer_add_line(&c->writer, RP_WRITER_OBJECTS, json->text, json->size_B))
        rp_capture_end(c, "ends: no room for its objects");
    else
        c->object_lines++;
}

static void
describe_descriptor(struct rp_capture_device *c, const struct rp_memory_descriptor *descriptor)
{
    rp_json_key(&c->object_json, "heap");
    rp_json_bytes(&c->object_json, descriptor, sizeof(*descriptor));
}

/* What makes descriptors in heaps the same when they are written again. */
static void
describe_heap(struct rp_capture_device *c, const struct rp_object *obj)
{
    if (obj->type == VK_OBJECT_TYPE_IMAGE) {
        const struct rp_image *img = (const struct rp_image *)obj;
        if (img->heap_name)
            rp_json_key_u64(&c->object_json, "heap_image", img->heap_name);
    } else if (obj->type == VK_OBJECT_TYPE_IMAGE_VIEW) {
        const struct rp_image_view *view = (const struct rp_image_view *)obj;
        const struct rp_memory_descriptor descriptor =
            rp_memory_descriptor_of_view(view->img->heap_name, view->heap_number, false);
        if (view->heap_number)
            describe_descriptor(c, &descriptor);
    } else if (obj->type == VK_OBJECT_TYPE_SAMPLER) {
        const struct rp_sampler *sampler = (const struct rp_sampler *)obj;
        const struct rp_memory_descriptor descriptor =
            rp_memory_descriptor_of_sampler(sampler->heap_number);
        if (sampler->heap_number)
            describe_descriptor(c, &descriptor);
    }
}

/* What the create info does not say. */
static void
describe_more(struct rp_capture_device *c, struct rp_capture_object *object, const void *info)
{
    struct rp_json *json = &c->object_json;

    describe_heap(c, object->obj);
    switch ((int)object->obj->type) {
    case VK_OBJECT_TYPE_DEVICE_MEMORY: {
        const struct rp_memory *mem = (const struct rp_memory *)object->obj;
        rp_json_key(json, "address");
        rp_json_hex64(json, (uintptr_t)mem->host);
        break;
    }
    case VK_OBJECT_TYPE_PIPELINE:
    case VK_OBJECT_TYPE_SHADER_EXT:
        object->kernel_flags = rp_capture_kernel_scan(info);
        rp_json_key_u64(json, "kernel", object->kernel_flags);
        break;
    case VK_OBJECT_TYPE_BUFFER:
        object_list(c, object, RP_CAPTURE_BUFFERS);
        break;
    case VK_OBJECT_TYPE_IMAGE:
        object_list(c, object, RP_CAPTURE_IMAGES);
        break;
    case VK_OBJECT_TYPE_BUFFER_VIEW:
        object_list(c, object, RP_CAPTURE_BUFFER_VIEWS);
        break;
    case VK_OBJECT_TYPE_SAMPLER:
        object_list(c, object, RP_CAPTURE_SAMPLERS);
        break;
    default:
        break;
    }
}

void
rp_capture_object_created(struct rp_capture *capture, struct rp_object *obj, const void *info)
{
    struct rp_capture_device *c = rp_capture_device_of(capture);

    pthread_mutex_lock(&c->mutex);
    struct rp_capture_object *object = c->has_ended ? NULL : object_add(c, obj);
    if (object) {
        struct rp_json *json = line_begin(c, object->id);
        rp_json_key(json, "create");
        rp_struct_json(json, info);
        describe_more(c, object, info);
        line_end(c);
    } else {
        rp_capture_end(c, "ends: no memory");
    }
    pthread_mutex_unlock(&c->mutex);
}

/* info is that of a change of any kind. */
static void
object_bind(struct rp_capture_device *c, struct rp_capture_object *object, const void *info)
{
    const VkBaseInStructure *base = info;
    VkDeviceMemory memory;

    if (base->sType == VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO)
        memory = ((const VkBindBufferMemoryInfo *)info)->memory;
    else if (base->sType == VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO)
        memory = ((const VkBindImageMemoryInfo *)info)->memory;
    else
        return;
    spans_forget(c);
    if (object->memory_count < RP_MAX_PLANES)
        object->memories[object->memory_count++] = &rp_memory_from_handle(memory)->base;
}

void
rp_capture_object_changed(struct rp_capture *capture, struct rp_object *obj, const void *info)
{
    struct rp_capture_device *c = rp_capture_device_of(capture);

    pthread_mutex_lock(&c->mutex);
    struct rp_json *json = line_begin(c, obj->capture_id);
    rp_json_key(json, "change");
    rp_struct_json(json, info);
    line_end(c);
    struct rp_capture_object *object = rp_capture_find(c, obj);
    if (object)
        object_bind(c, object, info);
    pthread_mutex_unlock(&c->mutex);
}

void
rp_capture_object_named(struct rp_capture *capture, struct rp_object *obj, const char *name)
{
    struct rp_capture_device *c = rp_capture_device_of(capture);

    pthread_mutex_lock(&c->mutex);
    struct rp_json *json = line_begin(c, obj->capture_id);
    rp_json_key_string(json, "name", name ? name : "");
    line_end(c);
    pthread_mutex_unlock(&c->mutex);
}

/* What is bound to memory that is freed may be destroyed later: it holds nothing until then. */
static void
memory_unbind(struct rp_capture_device *c, const struct rp_object *memory)
{
    static const enum rp_capture_list lists[] = {RP_CAPTURE_BUFFERS, RP_CAPTURE_IMAGES};

    for (uint32_t i = 0; i < 2; i++) {
        for (struct rp_capture_object *o = c->lists[lists[i]]; o; o = o->next_in_list) {
            bool is_bound_to_it = false;
            for (uint32_t k = 0; k < o->memory_count; k++)
                is_bound_to_it |= o->memories[k] == memory;
            if (!is_bound_to_it)
                continue;
            o->memory_count = 0;
            spans_forget(c);
            object_forget_touches(c, o);
        }
    }
}

void
rp_capture_object_destroyed(struct rp_capture *capture, struct rp_object *obj)
{
    struct rp_capture_device *c = rp_capture_device_of(capture);

    pthread_mutex_lock(&c->mutex);
    struct rp_capture_object *object = rp_capture_find(c, obj);
    if (object) {
        (void)line_begin(c, object->id);
        rp_json_key(&c->object_json, "destroy");
        rp_json_u64(&c->object_json, 1);
        line_end(c);
        if (obj->type == VK_OBJECT_TYPE_DEVICE_MEMORY)
            memory_unbind(c, obj);
        object_remove(c, object);
    }
    obj->capture_id = 0;
    pthread_mutex_unlock(&c->mutex);
}
