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

static void
write_first(struct rp_json *json, const struct rp_finding *f, const struct rp_profile_pipeline *pp)
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
    for (uint32_t i = 0; i < pp->slot_count; i++) {
        if (pp->slots[i].index != f->binding)
            continue;
        rp_json_key_u64(json, "set", pp->slots[i].set);
        rp_json_key_u64(json, "binding", pp->slots[i].binding);
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
        rp_json_open(json, '{');
        rp_json_key_string(json, "kind", names[f->kind]);
        rp_json_key_u64(json, "count", f->count);
        write_place(json, "at", &places[f->site], &sites[f->site]);
        if (f->kind >= RP_FINDING_RACE)
            write_place(json, "with", &places[f->other], &sites[f->other]);
        write_first(json, f, pp);
        rp_json_close(json, '}');
    }
    rp_json_close(json, ']');
}
