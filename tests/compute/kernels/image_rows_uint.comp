#version 450
// SPDX-License-Identifier: MIT
// image_rows.comp's reads and writes, of integers.
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(constant_id = 2) const bool HAS_BARRIER = false;
layout(binding = 1) uniform uimage2D image1;
layout(binding = 2, std430) buffer Values { uvec4 values[]; };
layout(push_constant) uniform P {
    int operation;
    int width;
    ivec2 first;
    ivec2 step_x; // of x and of y
};
void main()
{
    if (HAS_BARRIER)
        barrier();
    ivec2 id = ivec2(gl_GlobalInvocationID.xy);
    ivec2 at = first + ivec2(id.x * step_x.x, id.y + id.x * step_x.y);
    int k = id.y * width + id.x;
    if (operation == 0)
        values[k] = imageLoad(image1, at);
    else if (operation == 1)
        imageStore(image1, at, values[k]);
    else if (operation == 2 && id.x % 3 != 1)
        imageStore(image1, at, values[k]);
    else if (operation == 4)
        values[k].xy = imageLoad(image1, at).yx;
    else if (operation == 5) // one for all
        values[k] = imageLoad(image1, first);
    else if (operation == 7)
        imageStore(image1, first, values[0]);
}
