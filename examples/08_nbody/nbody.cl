// Gravity between all pairs of BODIES bodies (x, y, z, mass), softened, one evaluation of all accelerations.
// A thread accumulates TILE bodies, block_size_x apart. block_size_y threads share a body: each meets its own part of the
// others, and their sums meet in local memory. With STAGE the others pass through local memory in groups of one body a
// thread, as float4 or as one array a component. Counts divide evenly (constraints).
#include "wattune/portable.h"

#define SOFTENING 1e-4f  // squared length: two bodies never come infinitely close
#define THREADS (block_size_x * block_size_y)

#if RSQRT == 1
#define INVERSE_ROOT(a) wt_rsqrt(a)
#else
#define INVERSE_ROOT(a) (1.0f / wt_sqrt(a))
#endif

WT_KERNEL_BLOCK(block_size_x, block_size_y, 1)
nbody(const WT_GLOBAL float4 *WT_RESTRICT bodies, WT_GLOBAL float4 *WT_RESTRICT accelerations) {
  const int x = wt_local_id(0);
  const int y = wt_local_id(1);
  const int first = wt_group_id(0) * (block_size_x * TILE) + x;

  float4 body[TILE];
  float ax[TILE];
  float ay[TILE];
  float az[TILE];
  WT_UNROLL_FULL
  for (int i = 0; i < TILE; ++i) {
    body[i] = bodies[first + i * block_size_x];
    ax[i] = 0.0f, ay[i] = 0.0f, az[i] = 0.0f;
  }

#if STAGE == 0
#define OTHERS (BODIES / block_size_y)
#define OTHER(k) bodies[y * OTHERS + (k)]
#else
#define OTHERS block_size_x
#if STAGE == 1
  WT_LOCAL float4 staged[THREADS];
#define OTHER(k) staged[y * block_size_x + (k)]
#else
  WT_LOCAL float staged_x[THREADS];
  WT_LOCAL float staged_y[THREADS];
  WT_LOCAL float staged_z[THREADS];
  WT_LOCAL float staged_m[THREADS];
#define PLACE(k) (y * block_size_x + (k))
#define OTHER(k) wt_make_float4(staged_x[PLACE(k)], staged_y[PLACE(k)], staged_z[PLACE(k)], staged_m[PLACE(k)])
#endif
  for (int group = 0; group < BODIES; group += THREADS) {
    const int thread = y * block_size_x + x;
    const float4 loaded = bodies[group + thread];
#if STAGE == 1
    staged[thread] = loaded;
#else
    staged_x[thread] = loaded.x, staged_y[thread] = loaded.y, staged_z[thread] = loaded.z, staged_m[thread] = loaded.w;
#endif
    wt_barrier();
#endif
    WT_UNROLL(UNROLL)
    for (int k = 0; k < OTHERS; ++k) {
      const float4 other = OTHER(k);
      WT_UNROLL_FULL
      for (int i = 0; i < TILE; ++i) {
        const float dx = other.x - body[i].x;
        const float dy = other.y - body[i].y;
        const float dz = other.z - body[i].z;
        const float inverse = INVERSE_ROOT(wt_fma(dx, dx, wt_fma(dy, dy, wt_fma(dz, dz, SOFTENING))));
        const float pull = other.w * inverse * inverse * inverse;
        ax[i] = wt_fma(dx, pull, ax[i]);
        ay[i] = wt_fma(dy, pull, ay[i]);
        az[i] = wt_fma(dz, pull, az[i]);
      }
    }
#if STAGE > 0
    wt_barrier();
  }
#endif

#if block_size_y > 1
  // The sums of the threads that share a body: one body after the other through the same local memory.
  WT_LOCAL float4 shares[THREADS];
  WT_UNROLL_FULL
  for (int i = 0; i < TILE; ++i) {
    shares[y * block_size_x + x] = wt_make_float4(ax[i], ay[i], az[i], 0.0f);
    wt_barrier();
    if (y == 0) {
      for (int other = 1; other < block_size_y; ++other) {
        const float4 share = shares[other * block_size_x + x];
        ax[i] += share.x, ay[i] += share.y, az[i] += share.z;
      }
    }
    wt_barrier();
  }
#endif
  if (y == 0) {
    WT_UNROLL_FULL
    for (int i = 0; i < TILE; ++i) {
      const float scale = 1.0f / BODIES;  // the total mass stays the same whatever the number of bodies
      accelerations[first + i * block_size_x] = wt_make_float4(ax[i] * scale, ay[i] * scale, az[i] * scale, 0.0f);
    }
  }
}

// One thread a body, straight from the definition: what the tuned kernel is held to.
WT_KERNEL nbody_reference(const WT_GLOBAL float4 *WT_RESTRICT bodies, WT_GLOBAL float4 *WT_RESTRICT accelerations) {
  const int i = wt_global_id(0);
  float ax = 0.0f;
  float ay = 0.0f;
  float az = 0.0f;
  for (int j = 0; j < BODIES; ++j) {
    const float dx = bodies[j].x - bodies[i].x;
    const float dy = bodies[j].y - bodies[i].y;
    const float dz = bodies[j].z - bodies[i].z;
    const float square = dx * dx + dy * dy + dz * dz + SOFTENING;
    const float pull = bodies[j].w / (square * wt_sqrt(square)) / BODIES;
    ax += dx * pull;
    ay += dy * pull;
    az += dz * pull;
  }
  accelerations[i] = wt_make_float4(ax, ay, az, 0.0f);
}
