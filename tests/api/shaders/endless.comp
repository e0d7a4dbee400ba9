// SPDX-License-Identifier: MIT
// Waits for what nobody writes.
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) coherent volatile buffer Data { uint words[]; };

void main()
{
    while (words[0] == 0u) {
    }
    words[1] = 1u;
}
