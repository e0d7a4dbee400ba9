// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x=64) in;
layout(set=0,binding=0) readonly buffer A{float a[];};
layout(set=0,binding=2) buffer C{float c[];};
layout(push_constant) uniform P{uint n;};
void main(){ uint i=gl_GlobalInvocationID.x; if(i>=n) return; float x=a[i]; float r=0;
 c[i*32+0]=sin(x); c[i*32+1]=cos(x); c[i*32+2]=tan(x); c[i*32+3]=exp(x*0.1); c[i*32+4]=log(abs(x)); c[i*32+5]=exp2(x*0.3); c[i*32+6]=log2(abs(x)); c[i*32+7]=pow(abs(x),1.7); c[i*32+8]=sqrt(abs(x)); c[i*32+9]=inversesqrt(abs(x)); c[i*32+10]=atan(x); c[i*32+11]=atan(x,2.5-x); c[i*32+12]=asin(clamp(x*0.01,-1.0,1.0)); c[i*32+13]=acos(clamp(x*0.01,-1.0,1.0)); c[i*32+14]=sinh(x*0.1); c[i*32+15]=cosh(x*0.1); c[i*32+16]=tanh(x); c[i*32+17]=asinh(x); c[i*32+18]=acosh(abs(x)+1.0); c[i*32+19]=atanh(clamp(x*0.01,-0.99,0.99));
 c[i*32+20]=floor(x); c[i*32+21]=ceil(x); c[i*32+22]=fract(x); c[i*32+23]=round(x); c[i*32+24]=trunc(x); c[i*32+25]=mod(x,1.7); c[i*32+26]=sign(x); c[i*32+27]=smoothstep(-2.0,3.0,x); int e; c[i*32+28]=frexp(x,e); c[i*32+29]=float(e); c[i*32+30]=ldexp(x,3); c[i*32+31]=determinant(mat3(x,1,2,3,x,4,5,6,x)); }
