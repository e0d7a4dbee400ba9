// SPDX-License-Identifier: MIT
// An image through samplers that differ in their border.
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform utexture2D img;
layout(set = 1, binding = 0) buffer Result { uint result[]; };
layout(set = 2, binding = 0) uniform sampler black;
layout(set = 2, binding = 3) uniform sampler white;

void main()
{
    result[0] = textureLod(usampler2D(img, black), vec2(-1), 0).x;
    result[1] = textureLod(usampler2D(img, white), vec2(-1), 0).x;
    result[2] = textureLod(usampler2D(img, white), vec2(0.75, 0.25), 0).x;
}
