// SPDX-License-Identifier: MIT
// Branches in a loop that is unrolled, which a wrong range of the left side would decide.
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 1) buffer B { uint b[]; };
shared uint turned[16];

void main()
{
    const uint i = gl_LocalInvocationID.x, low = i & 15u;
    const uint at_end = 4u + (i & 8u); // 4 to 12
    uint bits = 0u;
    turned[15u - i] = i;
    barrier();
    for (uint k = 0u; k < 4u; k++) {
        uint value = (low + 1u) << 3u;
        uint limit = 68u;
        if (k == 1u) {
            value = at_end % 12u;
            limit = 2u;
        } else if (k == 2u) {
            value = low >> 1u;
            limit = 7u;
        } else if (k == 3u) {
            value = at_end / 4u;
            limit = 3u;
        }
        if (value < limit)
            bits |= turned[k] << (4u * k);
    }
    b[i] = bits;
}
