#version 450
// SPDX-License-Identifier: MIT
// Bilinear scale to two thirds through a sampler.
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 8) uniform sampler2D src;
layout(r8, binding = 7) writeonly uniform image2D dst;
layout(push_constant) uniform P { uint width; uint height; };
void main()
{
    uvec2 g = gl_GlobalInvocationID.xy;
    uvec2 size = uvec2(width, height) * 2u / 3u;
    if (g.x >= size.x || g.y >= size.y)
        return;
    vec2 at = (vec2(g) + 0.5) / vec2(size);
    imageStore(dst, ivec2(g), textureLod(src, at, 0.0));
}
