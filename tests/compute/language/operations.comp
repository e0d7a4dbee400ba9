// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) writeonly buffer C { uint c[]; };
layout(push_constant) uniform Push { uint family; uint number; };
#include "operations.glsl"

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const uint x = a[3u * i];
    const uint y = a[3u * i + 1u];
    const uint z = a[3u * i + 2u];
    uint result;
    switch (family) {
    case 0u:
        result = integers(number, x, y, z);
        break;
    case 1u:
        result = wide_integers(number, x, y, z);
        break;
    case 2u:
        result = narrow_integers(number, x, y, z);
        break;
    case 3u:
        result = doubles(number, x, y, z);
        break;
    case 4u:
        result = floats(number, x, y, z);
        break;
    default:
        result = floatBitsToUint(near_floats(number, x, y, z));
        break;
    }
    c[i] = result;
}
