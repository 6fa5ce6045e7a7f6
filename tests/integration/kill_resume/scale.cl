// A kernel that compiles fast: out[i] = 2 in[i], UNROLL elements a thread.
#include "wattune/portable.h"

WT_KERNEL scale(WT_GLOBAL const float* WT_RESTRICT in, WT_GLOBAL float* WT_RESTRICT out) {
  const int begin = (int)wt_global_id(0) * UNROLL;
  for (int i = begin; i < begin + UNROLL; ++i) {
    if (i < N) out[i] = 2.0f * in[i] + (float)VARIANT * 0.0f;
  }
}

WT_KERNEL scale_reference(WT_GLOBAL const float* WT_RESTRICT in, WT_GLOBAL float* WT_RESTRICT out) {
  const int i = (int)wt_global_id(0);
  if (i < N) out[i] = 2.0f * in[i];
}
