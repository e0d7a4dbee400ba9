// SPDX-License-Identifier: MIT
// Moves an NV12 picture between the views of its planes and a buffer, whose rows have no padding:
// four bytes in each invocation, of luma first.
#version 450

layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0, r8) uniform image2D luma;
layout(set = 0, binding = 1, rg8) uniform image2D chroma;
layout(set = 0, binding = 2) buffer Picture
{
    uint words[];
};
layout(push_constant) uniform Constants
{
    uint is_write; // of the picture
};

void main()
{
    const uvec2 at = gl_GlobalInvocationID.xy;
    const uint index = at.y * 16u + at.x;
    const int row = int(at.y) - imageSize(luma).y; // of chroma
    const ivec2 first = row < 0 ? ivec2(at.x * 4u, at.y) : ivec2(at.x * 2u, row);

    if (is_write != 0u) {
        const vec4 bytes = unpackUnorm4x8(words[index]);
        if (row < 0) {
            for (int i = 0; i < 4; i++)
                imageStore(luma, first + ivec2(i, 0), vec4(bytes[i]));
        } else {
            imageStore(chroma, first, vec4(bytes.xy, 0.0, 0.0));
            imageStore(chroma, first + ivec2(1, 0), vec4(bytes.zw, 0.0, 0.0));
        }
    } else if (row < 0) {
        vec4 bytes;
        for (int i = 0; i < 4; i++)
            bytes[i] = imageLoad(luma, first + ivec2(i, 0)).x;
        words[index] = packUnorm4x8(bytes);
    } else {
        words[index] = packUnorm4x8(vec4(imageLoad(chroma, first).xy,
                                         imageLoad(chroma, first + ivec2(1, 0)).xy));
    }
}
