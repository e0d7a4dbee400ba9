// SPDX-License-Identifier: MIT
// A descriptor of each kind, wherever a mapping finds it.
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;

layout(set = 0, binding = 0) buffer Result { uint result[]; };
layout(set = 0, binding = 1) uniform Values { uint value; } values[2];
layout(set = 0, binding = 3) uniform utexture2D plain;
layout(set = 0, binding = 4) uniform sampler outside;
layout(set = 0, binding = 5) uniform usampler2D both[2];
layout(set = 0, binding = 7) uniform Data { uint data; };
layout(set = 0, binding = 8, r32ui) uniform uimageBuffer texels;

void main()
{
    uint n = uint(imageSize(texels)) & 1; // 0, which no compiler knows
    result[0] = values[n].value;
    result[1] = values[n + 1].value;
    result[2] = textureLod(usampler2D(plain, outside), vec2(2.0), 0.0).r;
    result[3] = textureLod(both[n], vec2(2.0), 0.0).r;
    result[4] = textureLod(both[n + 1], vec2(2.0), 0.0).r;
    result[5] = texelFetch(plain, ivec2(0), 0).r;
    result[6] = texelFetch(both[n + 1], ivec2(0), 0).r;
    result[7] = data;
    result[8] = imageLoad(texels, 1).r;
    result[9] = result.length();
}
