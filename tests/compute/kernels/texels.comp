// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform sampler2D sampled;
layout(set = 0, binding = 1) uniform image2D stored;
layout(set = 0, binding = 2) writeonly buffer C { vec4 c[]; };
layout(push_constant) uniform Push { uint operation; uint width; uint height; };

uint hash(uint x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const uint h = hash(i * 2654435761u + 17u);
    const ivec2 row = ivec2(i % width, i / width);
    const ivec2 anywhere = ivec2(h % width, (h >> 10) % height);
    const vec2 place = vec2(h & 0x3ffu, (h >> 10) & 0x3ffu) * (2.0 / 1024.0) - 0.5;
    if (i >= width * height)
        return;
    switch (operation) {
    case 0u:
        c[i] = texelFetch(sampled, row, 0);
        break;
    case 1u:
        c[i] = texelFetch(sampled, anywhere, 0);
        break;
    case 2u:
        c[i] = textureLod(sampled, place, 0.0);
        break;
    case 3u:
        c[i] = textureLod(sampled, (vec2(row) + 0.25) / vec2(width, height), 0.0);
        break;
    case 4u:
        c[i] = imageLoad(stored, row);
        break;
    case 5u:
        c[i] = imageLoad(stored, anywhere);
        break;
    case 6u:
        imageStore(stored, row, vec4(h & 255u, h >> 8 & 255u, h >> 16 & 255u, h >> 24) / 255.0);
        break;
    case 7u:
        imageStore(stored, row + ivec2(int(width) - 3, 0), vec4(0.0));
        break;
    default:
        c[i] = textureGather(sampled, place, 0);
        break;
    }
}
