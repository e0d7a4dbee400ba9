// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x=64) in;
layout(set=0,binding=0) readonly buffer A{uint a[];};
layout(set=0,binding=2) buffer C{uint c[];};
layout(push_constant) uniform P{uint n;};
uint f(uint x, inout uint y){ if((x&3u)==1u) return 7u; y+=x; for(uint i=0;i<x%7u;i++){ if(i==3u) continue; if(y>1000u) return y; y+=i*x; } return y+1u; }
void main(){ uint i=gl_GlobalInvocationID.x; if(i>=n) return; uint v=a[i]; uint y=i; uint r=f(v,y);
 switch(v%6u){ case 0: r+=10u; break; case 1: r+=100u; case 2: r*=3u; break; case 5: r^=0x55u; if(y>50u) break; r+=5u; default: r-=9u; }
 uint arr[8]; for(int k=0;k<8;k++) arr[k]=v*uint(k); arr[v&7u]+=1u; uint s=0; for(int k=0;k<8;k++) s+=arr[(k+int(i))&7]*uint(k+1);
 uint w=0; while(true){ w++; if(w>v%11u) break; if((w&1u)==0u) continue; if(w*i>77u&&v>3u){ s+=w; break;} s+=2u; }
 do { w+=3u; } while(w<20u+(v&15u));
 c[i]=r*31u+y*7u+s*3u+w; }
