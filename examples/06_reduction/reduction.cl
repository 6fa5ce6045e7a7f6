// Sums of the rows of an array: ROWS sums of LENGTH numbers, bound by memory bandwidth.
// block_size_x threads share a row, each adding vectors of VECTOR numbers into SUMS independent sums; what they have is
// folded in local memory, FOLD values at a time. A block holds block_size_y rows. No warp intrinsics: any device runs it.
// Rows are read to the end without bounds checks; the spec's constraints make the shares even.
#include "wattune/portable.h"

#if VECTOR == 4
#define READ(to, at)                                                                          \
  {                                                                                           \
    const float4 loaded = *(const WT_GLOBAL float4 *)(at);                                    \
    (to)[0] += loaded.x, (to)[1] += loaded.y, (to)[2] += loaded.z, (to)[3] += loaded.w;       \
  }
#elif VECTOR == 2
#define READ(to, at)                                       \
  {                                                        \
    const float2 loaded = *(const WT_GLOBAL float2 *)(at); \
    (to)[0] += loaded.x, (to)[1] += loaded.y;              \
  }
#else
#define READ(to, at) (to)[0] += (at)[0];
#endif

// Distance of a thread's vectors: threads take turns (coalesced), or each has its own stretch (good for CPUs).
#if STRETCH == 1
#define FIRST (x * (LENGTH / block_size_x))
#define STEP VECTOR
#else
#define FIRST (x * VECTOR)
#define STEP (block_size_x * VECTOR)
#endif

WT_KERNEL_BLOCK(block_size_x, block_size_y, 1)
reduction(const WT_GLOBAL float *WT_RESTRICT values, WT_GLOBAL float *WT_RESTRICT sums) {
  WT_LOCAL float parts[block_size_x * block_size_y];
  const int x = wt_local_id(0);
  const int y = wt_local_id(1);
  const int row = wt_group_id(0) * block_size_y + y;
  const WT_GLOBAL float *from = values + row * LENGTH + FIRST;

  float sum[SUMS * VECTOR];
  WT_UNROLL_FULL
  for (int i = 0; i < SUMS * VECTOR; ++i) sum[i] = 0.0f;
  WT_UNROLL(UNROLL)
  for (int turn = 0; turn < LENGTH / (block_size_x * VECTOR * SUMS); ++turn) {
    WT_UNROLL_FULL
    for (int i = 0; i < SUMS; ++i) READ(sum + i * VECTOR, from + (turn * SUMS + i) * STEP)
  }
  WT_UNROLL_FULL
  for (int i = 1; i < SUMS * VECTOR; ++i) sum[0] += sum[i];

  WT_LOCAL_PTR float *mine = parts + y * block_size_x;
  mine[x] = sum[0];
  for (int count = block_size_x; count > 1;) {
    const int left = (count + FOLD - 1) / FOLD;
    wt_barrier();
    if (x < left) {
      float folded = mine[x];
      for (int i = x + left; i < count; i += left) folded += mine[i];
      mine[x] = folded;
    }
    count = left;
  }
  if (x == 0) sums[row] = mine[0];
}

// One thread a row, straight from the definition: what the tuned kernel is held to.
WT_KERNEL reduction_reference(const WT_GLOBAL float *WT_RESTRICT values, WT_GLOBAL float *WT_RESTRICT sums) {
  const int row = wt_global_id(0);
  float sum = 0.0f;
  for (int i = 0; i < LENGTH; ++i) sum += values[row * LENGTH + i];
  sums[row] = sum;
}
