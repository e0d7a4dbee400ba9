// SPDX-License-Identifier: MIT
// Reads and writes through any descriptor of the objects target, at any place.
#version 450
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x = 8, local_size_y = 2) in;
layout(constant_id = 0) const uint step_words = 64;
layout(push_constant) uniform Push { uint kind; uint which; uint at; int lod; } push;
layout(set = 0, binding = 0) buffer Storage { uint words[]; } storage[4];
layout(set = 0, binding = 1) uniform Uniform { uvec4 words[16]; } uniforms[4];
layout(set = 0, binding = 2) uniform texture2DArray sampled[4];
layout(set = 0, binding = 3) uniform image2DArray images[4];
layout(set = 0, binding = 4) uniform textureBuffer texels[4];
layout(set = 0, binding = 5) uniform sampler2DArray combined[4];

void main()
{
    const uvec3 id = gl_GlobalInvocationID;
    const uint at = push.at + id.x + step_words * id.y;
    const uint which = push.which & 3u;
    uint value = 0u;

    switch (push.kind & 7u) {
    case 0u:
        value = storage[which].words[at];
        break;
    case 1u:
        value = uniforms[which].words[at & 15u].x;
        break;
    case 2u:
        value = floatBitsToUint(texelFetch(sampled[which], ivec3(id), push.lod).x);
        break;
    case 3u:
        value = floatBitsToUint(imageLoad(images[which], ivec3(id)).x);
        break;
    case 4u:
        value = floatBitsToUint(texelFetch(texels[which], int(at)).x);
        break;
    case 5u:
        value = floatBitsToUint(
            textureLod(combined[which], vec3(id) * 0.37 - 1.0, float(push.lod)).y);
        break;
    case 6u:
        imageStore(images[which], ivec3(id), vec4(id, 1.0));
        break;
    default:
        value = atomicAdd(storage[which].words[at], 1u) + uint(imageSize(images[which]).x) +
                uint(textureSize(sampled[which], push.lod).y) + uint(storage[which].words.length());
        break;
    }
    storage[(which + 1u) & 3u].words[at] = value;
}
