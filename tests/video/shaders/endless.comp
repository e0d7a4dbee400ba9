// SPDX-License-Identifier: MIT
// Never ends.
#version 450

layout(local_size_x = 1) in;
shared uint word;

void main()
{
    word = 0u;
    while (word == 0u)
        word *= 3u;
}
