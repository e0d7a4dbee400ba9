// SPDX-License-Identifier: MIT
// Words of one invocation that lie side by side, at places that it computes:
// tests/compute/wide_words.c.
#version 450
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint part = 0;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 0) buffer A2 { uvec2 a2[]; };
layout(binding = 1) buffer B { uint b[]; };
layout(binding = 1) buffer B2 { uvec2 b2[]; };
layout(binding = 2) buffer C { uint at[]; };
layout(binding = 3, r32ui) uniform uimage2D b_again;
shared uint rows[64 * 5];
layout(push_constant) uniform Push { uint skip; uint before; };

void main()
{
    const uint id = gl_GlobalInvocationID.x;
    const uint x = a[id];
    if (skip != 0 && id % skip == 0)
        return;
    switch (part) {
    case 0: // pairs at places of the lanes
        b2[at[id]] = uvec2(x, x * 3u);
        break;
    case 1: {
        const uvec2 pair = a2[at[id]];
        b[id] = pair.x * 3u + pair.y;
        break;
    }
    case 2: // pairs in steps
        b2[id * 3] = uvec2(x, x * 3u);
        break;
    case 3: {
        const uvec2 pair = a2[id * 3];
        b[id] = pair.x * 3u + pair.y;
        break;
    }
    case 4: // eight words, two in the wrong order
        b[id * 8] = x;
        b[id * 8 + 1] = x * 3u;
        b[id * 8 + 3] = x * 5u;
        b[id * 8 + 2] = x * 7u;
        b[id * 8 + 4] = x * 9u;
        b[id * 8 + 5] = x * 11u;
        b[id * 8 + 6] = x * 13u;
        b[id * 8 + 7] = x * 15u;
        break;
    case 5: { // a load in between sees the first, not the second
        b[id * 4] = x;
        const uint seen = b[id * 4] + b[id * 4 + 1];
        b[id * 4 + 1] = seen;
        break;
    }
    case 6: // lanes are nearer than that: the second word of each is the next one's first
        b[id] = x;
        barrier();
        b[id + 1] = x * 3u;
        break;
    case 7: // sixteen words, kept in between where an index finds them
        uint kept[16];
        for (uint i = 0; i < 16; i++)
            kept[i] = a[id * 16 + i];
        for (uint i = 0; i < 4000; i++)
            kept[(i * i) & 15] += (kept[i & 15] >> 3) + kept[i & 15] + i;
        b[id] = kept[skip & 15] + kept[3];
        break;
    case 8: // read, changed, read again
        uint words[4] = uint[4](x, 1u, 2u, 3u);
        for (uint i = 0; i < 1000; i++) {
            const uint old = words[(x + i) & 3];
            words[i & 3] += 5u;
            words[3] += words[(x + i) & 3] - old;
        }
        b[id] = words[3];
        break;
    case 9: // the first of them may be in front of the buffer, others not
        b[id * 4 - before] = x;
        b[id * 4 - before + 1] = x * 3u;
        b[id * 4 - before + 2] = x * 5u;
        b[id * 4 - before + 3] = x * 7u;
        break;
    case 10: {
        const uint to = at[id] * 2 - before;
        b[to] = x;
        b[to + 1] = x * 3u;
        break;
    }
    case 11: // of all lanes the same
        b[0u - before] = 17u;
        b[1u - before] = 18u;
        break;
    case 12:
        b[id] = a[id * 4 - before] * 3u + a[id * 4 - before + 1] * 5u +
                a[id * 4 - before + 2] * 7u + a[id * 4 - before + 3];
        break;
    case 13: { // eight words of which the second is met first
        const uint from = id * 16;
        b[id] = a[from + 1] * 3u + a[from + 2] * 5u + a[from + 3] * 7u + a[from + 4] * 9u +
                a[from] * 11u + a[from + 5] * 13u + a[from + 6] * 15u + a[from + 7] * 17u;
        break;
    }
    case 15: { // of workgroup memory, read by another one
        const uint lane = gl_LocalInvocationIndex, other = 63u - lane;
        rows[lane * 5] = x;
        rows[lane * 5 + 1] = x * 3u;
        rows[lane * 5 + 2] = x * 5u;
        rows[lane * 5 + 3] = x * 7u;
        rows[lane * 5 + 4] = x * 9u;
        barrier();
        b[id] = rows[other * 5] + rows[other * 5 + 1] * 3u + rows[other * 5 + 2] * 5u +
                rows[other * 5 + 3] * 7u + rows[other * 5 + 4] * 9u;
        break;
    }
    case 14: { // an image of the same memory sees the first word
        b[id * 2] = x;
        const uint seen = imageLoad(b_again, ivec2(id * 2, 0)).x;
        b[id * 2 + 1] = seen * 3u;
        break;
    }
    }
}
