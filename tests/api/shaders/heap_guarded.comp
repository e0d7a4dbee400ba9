// SPDX-License-Identifier: MIT
// Data at an address that may lead nowhere: who pushes it says so.
#version 450
layout(local_size_x = 1) in;

layout(set = 0, binding = 0) buffer Result { uint result[]; };
layout(set = 0, binding = 7) uniform Data { uint data; };
layout(push_constant) uniform Push { uint address[2]; uint isThere; uint count; uint rounds; };

void main()
{
    result[0] = 7;
    for (uint i = 0; i < count; i++) {
        if (isThere != 0)
            result[1 + i] = data + i;
    }
    for (uint i = 0; i < rounds; i++)
        result[4 + i] = data - i;
}
