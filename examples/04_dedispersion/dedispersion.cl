// Incoherent dedispersion of a radio signal: for each trial dispersion measure (DM), the channels are summed after each was
// moved back by the delay that this DM causes at its frequency. Integer delays: DM index times the channel's shift.
// A thread computes TILE_TIME samples (block_size_x apart) of TILE_DM trials. With STAGE, a block copies the samples that
// any of its trials needs from CHANNEL_BLOCK channels into local memory first. Tiles divide the problem (constraints).
#include "wattune/portable.h"

#define PITCH (SAMPLES + MAX_DELAY)  // samples of a channel: those beyond SAMPLES serve the largest delay
#define BLOCK_TIME (block_size_x * TILE_TIME)
#define BLOCK_DM (block_size_y * TILE_DM)
#define THREADS (block_size_x * block_size_y)

// Neighbouring trials need nearly the same samples: they can sit in one thread or in neighbouring threads.
#if DM_STRIDED == 1
#define DM_OF(y, i) ((y) + (i)*block_size_y)
#else
#define DM_OF(y, i) ((y)*TILE_DM + (i))
#endif

#if READ_ONLY == 1
#define FROM_SIGNAL(index) wt_load_readonly(signal + (index))
#else
#define FROM_SIGNAL(index) signal[index]
#endif

// One rounding only, so that every compiler agrees on the integer.
WT_DEVICE int delay_of(int dm, float shift) { return (int)((float)dm * shift); }

// `signal` is not WT_RESTRICT: the compiler would then choose the read-only path by itself, which READ_ONLY decides here.
WT_KERNEL_BLOCK(block_size_x, block_size_y, 1)
dedispersion(WT_GLOBAL const float *signal, WT_GLOBAL const float *WT_RESTRICT shifts, WT_GLOBAL float *output) {
  const int x = wt_local_id(0);
  const int y = wt_local_id(1);
  const int time0 = wt_group_id(0) * BLOCK_TIME;
  const int dm0 = wt_group_id(1) * BLOCK_DM;

  float sum[TILE_DM * TILE_TIME];
  WT_UNROLL_FULL
  for (int i = 0; i < TILE_DM * TILE_TIME; ++i) sum[i] = 0.0f;

#if STAGE == 1
// A trial's shift is at most MAX_SHIFT samples a channel, so a block's trials spread over this many samples:
#define SPAN (BLOCK_TIME + MAX_SHIFT * (BLOCK_DM - 1) + 1)
  WT_LOCAL float staged[CHANNEL_BLOCK * SPAN];
  for (int c0 = 0; c0 < CHANNELS; c0 += CHANNEL_BLOCK) {
    for (int c = 0; c < CHANNEL_BLOCK; ++c) {
      const float shift = shifts[c0 + c];
      const int first = delay_of(dm0, shift);
      const int count = BLOCK_TIME + delay_of(dm0 + BLOCK_DM - 1, shift) - first;
      for (int i = y * block_size_x + x; i < count; i += THREADS) {
        staged[c * SPAN + i] = FROM_SIGNAL((c0 + c) * PITCH + time0 + first + i);
      }
    }
    wt_barrier();
    WT_UNROLL(UNROLL)
    for (int c = 0; c < CHANNEL_BLOCK; ++c) {
      const float shift = shifts[c0 + c];
      const int first = delay_of(dm0, shift);
      WT_UNROLL_FULL
      for (int d = 0; d < TILE_DM; ++d) {
        const int at = c * SPAN + delay_of(dm0 + DM_OF(y, d), shift) - first + x;
        WT_UNROLL_FULL
        for (int t = 0; t < TILE_TIME; ++t) sum[d * TILE_TIME + t] += staged[at + t * block_size_x];
      }
    }
    wt_barrier();
  }
#else
  WT_UNROLL(UNROLL)
  for (int c = 0; c < CHANNELS; ++c) {
    const float shift = shifts[c];
    WT_UNROLL_FULL
    for (int d = 0; d < TILE_DM; ++d) {
      const int at = c * PITCH + time0 + delay_of(dm0 + DM_OF(y, d), shift) + x;
      WT_UNROLL_FULL
      for (int t = 0; t < TILE_TIME; ++t) sum[d * TILE_TIME + t] += FROM_SIGNAL(at + t * block_size_x);
    }
  }
#endif

  WT_UNROLL_FULL
  for (int d = 0; d < TILE_DM; ++d) {
    WT_UNROLL_FULL
    for (int t = 0; t < TILE_TIME; ++t) {
      output[(dm0 + DM_OF(y, d)) * SAMPLES + time0 + x + t * block_size_x] = sum[d * TILE_TIME + t];
    }
  }
}

// One thread a sample of one trial, straight from the definition: what the tuned kernel is held to.
WT_KERNEL dedispersion_reference(WT_GLOBAL const float *signal, WT_GLOBAL const float *WT_RESTRICT shifts,
                                 WT_GLOBAL float *output) {
  const int time = wt_global_id(0);
  const int dm = wt_global_id(1);
  float sum = 0.0f;
  for (int c = 0; c < CHANNELS; ++c) sum += signal[c * PITCH + time + delay_of(dm, shifts[c])];
  output[dm * SAMPLES + time] = sum;
}
