// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x=64) in;
layout(set=0,binding=2) buffer C{uint c[];};
layout(push_constant) uniform P{uint n;};
void main(){ uint i=gl_GlobalInvocationID.x; if(i>=n) return; uint x=i*2654435761u+1u; uint r=(x>>26)+1u;
 for(uint k=0;k<r;k++){ x^=x<<13; x^=x>>17; x^=x<<5; } c[i]=x; }
