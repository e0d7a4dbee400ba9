// SPDX-License-Identifier: MIT
// One value through each type of descriptor. Word 0 of the result says that the shader ran.
#version 450
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 1) uniform Uniform { uint uniform_word; };
layout(set = 0, binding = 2) uniform utextureBuffer texels;
layout(set = 0, binding = 3, r32ui) uniform uimageBuffer stored_texels;
layout(set = 0, binding = 4) uniform sampler outside; // gives its border
layout(set = 0, binding = 5) uniform utexture2D sampled;
layout(set = 0, binding = 6) uniform usampler2D combined;
layout(set = 0, binding = 7, r32ui) uniform uimage2D stored;
layout(set = 0, binding = 8) uniform Inline { uint inline_words[4]; };
layout(set = 0, binding = 9) buffer Many { uint many_words[]; } many[];
layout(set = 1, binding = 0) buffer Result { uint result[]; };
layout(push_constant) uniform Push { uint index; };

void main()
{
    result[0] = 1;
    result[1] = uniform_word;
    result[2] = texelFetch(texels, 1).x;
    result[3] = imageLoad(stored_texels, 1).x;
    result[4] = texelFetch(sampled, ivec2(1, 0), 0).x;
    result[5] = textureLod(usampler2D(sampled, outside), vec2(-1), 0).x;
    result[6] = textureLod(combined, vec2(0.75, 0.25), 0).x;
    result[7] = imageLoad(stored, ivec2(1, 0)).x;
    result[8] = inline_words[1];
    result[9] = many[index].many_words[0];
    result[10] = texelFetch(texels, 2).x;
    result[11] = many[index].many_words.length();
    imageStore(stored_texels, 0, uvec4(70));
    imageStore(stored, ivec2(0, 0), uvec4(71));
    many[index].many_words[1] = 72;
}
