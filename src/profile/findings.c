/* SPDX-License-Identifier: MIT */
#include "profile/findings.h"

#include "profile/profile.h"

void
rp_findings_add(struct rp_findings *findings, const struct rp_finding *first)
{
    uint32_t i = 0;
    while (i < findings->count &&
           (findings->items[i].kind != first->kind || findings->items[i].site != first->site ||
            findings->items[i].other != first->other))
        i++;
    if (i == RP_MAX_FINDINGS) {
        findings->is_short = true;
        return;
    }
    if (i == findings->count)
        findings->items[findings->count++] = *first;
    findings->items[i].count++;
}

static void
write_place(struct rp_json *json, const char *key, const struct rp_profile_place *place,
            const struct rp_access_site *site)
{
    rp_json_key(json, key);
    rp_json_open(json, '{');
    rp_json_key_u64(json, "word", site->word);
    rp_json_key_u64(json, "file", place->file);
    rp_json_key_u64(json, "line", place->line);
    rp_json_key_string(json, "access", rp_profile_access_name(site->bits));
    rp_json_close(json, '}');
}

static const struct rp_profile_slot *
slot_find(const struct rp_profile_pipeline *pp, uint32_t binding)
{
    for (uint32_t i = 0; i < pp->slot_count; i++)
        if (pp->slots[i].index == binding)
            return &pp->slots[i];
    return NULL;
}

/* Does Vulkan say what comes of an access that is out of bounds? Texels are never written there
 * (Texel Output Validation); what is read has a value where the application asks for robustness. */
static bool
is_defined(const struct rp_access_site *site, const struct rp_profile_slot *slot,
           const struct rp_profile_pipeline *pp)
{
    if (site->bits & RP_ACCESS_SHARED)
        return false;
    if (!(site->bits & RP_ACCESS_IMAGE))
        return pp->wants_exact_bounds;
    if (!(site->bits & RP_ACCESS_READ))
        return true;
    const bool is_buffer = slot && (slot->type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ||
                                    slot->type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER);
    return is_buffer ? pp->wants_exact_bounds : pp->has_robust_images;
}

static void
write_first(struct rp_json *json, const struct rp_finding *f, const struct rp_profile_slot *slot)
{
    rp_json_key(json, "group");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < 3; i++)
        rp_json_u64(json, f->group[i]);
    rp_json_close(json, ']');
    rp_json_key_u64(json, "lane", f->lane);
    if (f->kind >= RP_FINDING_RACE)
        rp_json_key_u64(json, "other_lane", f->other_lane);
    rp_json_key_u64(json, "offset", f->offset_B);
    rp_json_key_u64(json, "size", f->size_B);
    if (slot) {
        rp_json_key_u64(json, "set", slot->set);
        rp_json_key_u64(json, "binding", slot->binding);
    }
}

void
rp_findings_write(struct rp_json *json, const struct rp_findings *findings,
                  const struct rp_profile_pipeline *pp, const struct rp_access_site *sites,
                  const struct rp_profile_place *places)
{
    static const char *const names[] = {"out of bounds", "uninitialised", "race",
                                        "race across workgroups"};
    rp_json_key(json, "findings");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct rp_finding *f = &findings->items[i];
        const struct rp_profile_slot *slot = slot_find(pp, f->binding);
        rp_json_open(json, '{');
        rp_json_key_string(json, "kind", names[f->kind]);
        rp_json_key_u64(json, "count", f->count);
        if (f->kind == RP_FINDING_OUTSIDE)
            rp_json_key_u64(json, "is_defined", is_defined(&sites[f->site], slot, pp));
        write_place(json, "at", &places[f->site], &sites[f->site]);
        if (f->kind >= RP_FINDING_RACE)
            write_place(json, "with", &places[f->other], &sites[f->other]);
        write_first(json, f, slot);
        rp_json_close(json, '}');
    }
    rp_json_close(json, ']');
}
