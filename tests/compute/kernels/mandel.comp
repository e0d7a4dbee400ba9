// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x=16,local_size_y=16) in;
layout(set=0,binding=2) buffer C{uint c[];};
layout(push_constant) uniform P{uint w; uint h; float step; uint n;};
void main(){ uvec2 g=gl_GlobalInvocationID.xy; if(g.x>=w||g.y>=h) return;
 float cx=float(g.x)*step-2.2, cy=float(g.y)*step-1.2; float x=0,y=0; uint it=0;
 for(;it<n;it++){ float xx=x*x, yy=y*y; if(xx+yy>4.0) break; float t=x*y; x=xx-yy+cx; y=2.0*t+cy; }
 c[g.y*w+g.x]=it; }
