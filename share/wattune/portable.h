// Wattune's portability header: one kernel source, compiled as CUDA (nvcc, NVRTC), HIP or OpenCL C.
// A kernel says #include "wattune/portable.h"; the engines paste this file in, so it must stay alone: it includes
// nothing. It covers what tuned kernels need (index functions, memory spaces, barriers, unrolling, a few functions) and
// no more; docs/portable.md explains each name. It refuses to guess: another language is an #error.
#ifndef WATTUNE_PORTABLE_H
#define WATTUNE_PORTABLE_H

#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__HIPCC__) || defined(__HIPCC_RTC__)

#define WT_CUDA 1

// -- functions and memory spaces
#define WT_KERNEL extern "C" __global__ void
#define WT_KERNEL_BLOCK(x, y, z) extern "C" __global__ void __launch_bounds__((x) * (y) * (z))
#define WT_KERNEL_RESIDENT(x, y, z, blocks) extern "C" __global__ void __launch_bounds__((x) * (y) * (z), blocks)
#define WT_DEVICE static __device__ __forceinline__
#define WT_GLOBAL
#define WT_CONSTANT const
#define WT_LOCAL __shared__
#define WT_LOCAL_PTR
#define WT_ALIGN(bytes) __align__(bytes)
#define WT_RESTRICT __restrict__

// An argument with kind = "constant": a symbol in CUDA, the kernel's argument in OpenCL.
#define WT_CONSTANT_ARRAY(type, name, elements) __constant__ type name[elements];
#define WT_CONSTANT_ARGUMENT(type, name)

// -- the thread's place
WT_DEVICE int wt_local_id(int d) {
  return d == 0 ? threadIdx.x : d == 1 ? threadIdx.y : threadIdx.z;
}
WT_DEVICE int wt_group_id(int d) {
  return d == 0 ? blockIdx.x : d == 1 ? blockIdx.y : blockIdx.z;
}
WT_DEVICE int wt_local_size(int d) {
  return d == 0 ? blockDim.x : d == 1 ? blockDim.y : blockDim.z;
}
WT_DEVICE int wt_num_groups(int d) {
  return d == 0 ? gridDim.x : d == 1 ? gridDim.y : gridDim.z;
}
WT_DEVICE int wt_global_id(int d) {
  return wt_group_id(d) * wt_local_size(d) + wt_local_id(d);
}
#define wt_barrier() __syncthreads()

// -- types and functions
typedef unsigned int wt_uint;
typedef long long wt_long;
#define wt_make_float2(x, y) make_float2(x, y)
#define wt_make_float4(x, y, z, w) make_float4(x, y, z, w)
#define wt_fma(a, b, c) fma(a, b, c)
#define wt_sqrt(a) sqrt(a)
#define wt_rsqrt(a) rsqrt(a)
#define wt_min(a, b) min(a, b)
#define wt_max(a, b) max(a, b)
#define wt_load_readonly(pointer) __ldg(pointer)
#define wt_atomic_add_int(pointer, value) atomicAdd(pointer, value)

#elif defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)

#define WT_OPENCL 1

// -- functions and memory spaces
#define WT_KERNEL __kernel void
#define WT_KERNEL_BLOCK(x, y, z) __kernel __attribute__((reqd_work_group_size(x, y, z))) void
#define WT_KERNEL_RESIDENT(x, y, z, blocks) WT_KERNEL_BLOCK(x, y, z)
#define WT_DEVICE static inline
#define WT_GLOBAL __global
#define WT_CONSTANT __constant
#define WT_LOCAL __local
#define WT_LOCAL_PTR __local
#define WT_ALIGN(bytes) __attribute__((aligned(bytes)))
#define WT_RESTRICT restrict

// An argument with kind = "constant": a symbol in CUDA, the kernel's argument in OpenCL.
#define WT_CONSTANT_ARRAY(type, name, elements)
#define WT_CONSTANT_ARGUMENT(type, name) , __constant type* name

// -- the thread's place
#define wt_local_id(d) ((int)get_local_id(d))
#define wt_group_id(d) ((int)get_group_id(d))
#define wt_local_size(d) ((int)get_local_size(d))
#define wt_num_groups(d) ((int)get_num_groups(d))
#define wt_global_id(d) ((int)get_global_id(d))
#define wt_barrier() barrier(CLK_LOCAL_MEM_FENCE)

// -- types and functions
typedef unsigned int wt_uint;
typedef long wt_long;
#define wt_make_float2(x, y) ((float2)(x, y))
#define wt_make_float4(x, y, z, w) ((float4)(x, y, z, w))
#define wt_fma(a, b, c) fma(a, b, c)
#define wt_sqrt(a) sqrt(a)
#define wt_rsqrt(a) rsqrt(a)
#define wt_min(a, b) min(a, b)
#define wt_max(a, b) max(a, b)
#define wt_load_readonly(pointer) (*(pointer))
#define wt_atomic_add_int(pointer, value) atomic_add(pointer, value)

#else
#error "wattune/portable.h: neither CUDA, HIP nor OpenCL C"
#endif

// Unrolls the loop that follows: WT_UNROLL(4) four times, WT_UNROLL(1) not at all, WT_UNROLL_FULL wholly; the number is
// a literal or a macro that is one. WT_UNROLL(0) leaves it to the compiler. Clang before 17 calls `#pragma unroll 0` an
// error, and to leave the pragma out takes variadic macros, which NVIDIA's OpenCL 1.2 refuses: there 0 acts as 1.
#define WT_UNROLL_PRAGMA(text) _Pragma(#text)
#define WT_UNROLL_FULL _Pragma("unroll")
#ifdef __NV_CL_C_VERSION
#define WT_UNROLL_BY(n) WT_UNROLL_PRAGMA(unroll((n) > 0 ? (n) : 1))
#define WT_UNROLL(n) WT_UNROLL_BY(n)
#else
#define WT_UNROLL_BY(n) WT_UNROLL_PRAGMA(unroll n)
#define WT_UNROLL(n) WT_UNROLL_EXPANDED(n)
#define WT_UNROLL_EXPANDED(n) WT_UNROLL_CHOOSE(WT_UNROLL_ZERO_##n, WT_UNROLL_BY(n), )
#define WT_UNROLL_ZERO_0 ,
#define WT_UNROLL_CHOOSE(...) WT_UNROLL_SECOND_OF(__VA_ARGS__)
#define WT_UNROLL_SECOND_OF(first, second, ...) second
#endif

#endif
