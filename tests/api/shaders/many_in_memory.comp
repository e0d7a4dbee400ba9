// SPDX-License-Identifier: MIT
// Arrays of descriptors without a size: a lane's own element, and one element for all lanes.
#version 450
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Result { uint result[]; };
layout(set = 0, binding = 1) buffer Many { uint words[]; } many[];
layout(set = 0, binding = 2, r32ui) uniform uimage2D stored[];
layout(set = 0, binding = 3) uniform utexture2D sampled[];
layout(set = 0, binding = 4) uniform sampler samplers[];
layout(push_constant) uniform Push { uint stride; };

void main()
{
    const uint id = gl_GlobalInvocationID.x;
    const uint i = nonuniformEXT(id * stride);
    result[8 * id] = many[i].words[0];
    result[8 * id + 1] = many[i].words.length();
    result[8 * id + 2] = atomicAdd(many[i].words[1], id);
    result[8 * id + 3] = imageLoad(stored[i], ivec2(1, 0)).x;
    result[8 * id + 4] = textureLod(nonuniformEXT(usampler2D(sampled[i], samplers[i])), vec2(-1), 0).x;
    result[8 * id + 5] = many[stride].words[2];
    result[8 * id + 6] = texelFetch(sampled[stride], ivec2(1, 0), 0).x;
    result[8 * id + 7] = many[0].words[3];
}
