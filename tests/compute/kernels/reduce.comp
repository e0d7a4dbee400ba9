// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x=256) in;
layout(set=0,binding=0) readonly buffer A{uint a[];};
layout(set=0,binding=2) buffer C{uint c[];};
shared uint s[256];
void main(){ uint l=gl_LocalInvocationID.x, b=gl_WorkGroupID.x*1024u+l; s[l]=a[b]+a[b+256]+a[b+512]+a[b+768]; barrier();
 for(uint k=128;k>0;k>>=1){ if(l<k) s[l]+=s[l+k]; barrier(); } if(l==0) c[gl_WorkGroupID.x]=s[0]; }
