/* SPDX-License-Identifier: MIT */
/* The accesses of a pipeline: made, ended, written.
 */
#include "profile/accesses.h"

#include "profile/profile.h"
#include "util/alloc.h"

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_DEVICE

void
rp_accesses_destroy(struct rp_accesses *accesses)
{
    if (!accesses)
        return;
    rp_touched_finish(&accesses->touched);
    rp_free(NULL, accesses->blocks);
    rp_free(NULL, accesses->maps.cells);
    rp_free(NULL, accesses->totals);
    rp_free(NULL, accesses->are_unwritten);
    rp_free(NULL, accesses->may_be_stale);
    rp_free(NULL, accesses);
}

struct rp_accesses *
rp_accesses_create(const struct rp_kernel *kernel, const struct rp_profile_module *module,
                   bool finds_races)
{
    struct rp_accesses *a = rp_zalloc(NULL, sizeof(*a), _Alignof(struct rp_accesses), SCOPE);
    if (!a)
        return NULL;
    a->finds_races = finds_races;
    a->sites = rp_kernel_access_sites(kernel, &a->site_count);
    a->totals = rp_zalloc_array(NULL, a->site_count + 1, sizeof(a->totals[0]), SCOPE);
    uint32_t block_count, binding_count;
    (void)rp_kernel_bindings(kernel, &binding_count);
    a->are_unwritten = rp_zalloc_array(NULL, a->site_count + 1, sizeof(a->are_unwritten[0]), SCOPE);
    a->may_be_stale = rp_zalloc_array(NULL, binding_count + 1, sizeof(a->may_be_stale[0]), SCOPE);
    const uint32_t *blocks = rp_kernel_probes(kernel, &block_count);
    a->blocks = rp_heat_blocks_create(module, blocks, block_count);
    if (a->totals && a->blocks && a->are_unwritten && a->may_be_stale)
        return a;
    rp_accesses_destroy(a);
    return NULL;
}

static void
write_site(struct rp_json *json, const struct rp_access_site *site,
           const struct rp_profile_place *place, const struct rp_access_total *t)
{
    const bool is_shared = site->bits & RP_ACCESS_SHARED;
    rp_json_open(json, '{');
    rp_json_key_u64(json, "word", site->word);
    rp_json_key_u64(json, "file", place->file);
    rp_json_key_u64(json, "line", place->line);
    rp_json_key_string(json, "access", rp_profile_access_name(site->bits));
    rp_json_key_u64(json, "is_shared", is_shared);
    rp_json_key_u64(json, "is_image", (site->bits & RP_ACCESS_IMAGE) != 0);
    rp_json_key_u64(json, "size", site->size_B);
    rp_json_key_u64(json, "requests", t->requests);
    rp_json_key_u64(json, "lanes", t->lanes);
    rp_json_key_u64(json, "bytes", t->bytes);
    if (is_shared) {
        rp_json_key_u64(json, "degrees", t->degrees);
        rp_json_key_u64(json, "most_degree", t->most_degree);
    } else {
        rp_json_key_u64(json, "sectors", t->sectors);
        rp_json_key_u64(json, "least_sectors", t->least_sectors);
        rp_json_key_u64(json, "lines_64", t->lines[0]);
        rp_json_key_u64(json, "lines_128", t->lines[1]);
    }
    rp_json_close(json, '}');
}

void
rp_accesses_write(struct rp_json *json, const struct rp_profile_pipeline *pp, uint64_t *maps_B)
{
    const struct rp_accesses *a = pp->simt.accesses;
    if (!a)
        return;
    struct rp_profile_place *places =
        rp_zalloc_array(NULL, a->site_count + 1, sizeof(places[0]), SCOPE);
    if (!places) {
        json->is_out_of_memory = true;
        return;
    }
    const struct rp_profile_module module = {pp->words, pp->word_count};
    const uint32_t debug_set = rp_profile_debug_set(&module);
    for (uint32_t i = 0; i < a->site_count; i++)
        places[i] = rp_profile_place_of(&module, debug_set, a->sites[i].word);

    rp_json_key(json, "accesses");
    rp_json_open(json, '{');
    rp_json_key_u64(json, "width", RP_ACCESS_WIDTH);
    rp_json_key_u64(json, "is_complete", !a->findings.is_short && !a->touched.is_short);
    rp_json_key_u64(json, "finds_races", a->finds_races);
    rp_json_key(json, "sites");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < a->site_count; i++)
        write_site(json, &a->sites[i], &places[i], &a->totals[i]);
    rp_json_close(json, ']');
    rp_touched_write(json, &a->touched, pp->slots, pp->slot_count);
    rp_findings_write(json, &a->findings, pp, a->sites, places);
    rp_heat_write(json, &a->maps, maps_B);
    rp_orders_write(json, &a->orders);
    rp_json_close(json, '}');
    rp_free(NULL, places);
}
