// C = A * B in single precision, all matrices row-major: A is M x K, B is K x N, C is M x N.
// A block computes an MWG x NWG tile of C in steps of KWG along K; a thread keeps (MWG / MDIMC) x (NWG / NDIMC) sums in
// registers. Tiles of A (transposed, so that a thread's rows are neighbours) and B pass through local memory when
// SA and SB say so. It refuses ragged tiles: the spec's constraints see to it that every tile divides its matrix.
#include "wattune/portable.h"

#define THREADS (MDIMC * NDIMC)
#define MWI (MWG / MDIMC)            // rows of C a thread computes
#define NWI (NWG / NDIMC)            // columns of C a thread computes
#define KDIMA (THREADS / MDIMA)      // loader grid of A: MDIMA rows x KDIMA vectors along K
#define MWA (MWG / MDIMA)
#define KWA (KWG / (KDIMA * VWM))
#define KDIMB (THREADS / NDIMB)      // loader grid of B: KDIMB rows x NDIMB vectors along N
#define KWB (KWG / KDIMB)
#define NWB (NWG / (NDIMB * VWN))
#define STRIDE_A (MWG + PADA)        // of one k in the local tile of A
#define MDIMW (32 / NDIMW)           // 32 consecutive threads cover MDIMW x NDIMW places of the thread grid
#define BUFFERS (PREFETCH == 2 ? 2 : 1)

// Moves `width` neighbouring floats with one access; `space` is the memory space of the far side.
#define LOAD_1(space, to, from) (to)[0] = (from)[0];
#define LOAD_2(space, to, from)                           \
  {                                                       \
    const float2 loaded = *(space const float2 *)(from);  \
    (to)[0] = loaded.x, (to)[1] = loaded.y;               \
  }
#define LOAD_4(space, to, from)                                                               \
  {                                                                                           \
    const float4 loaded = *(space const float4 *)(from);                                      \
    (to)[0] = loaded.x, (to)[1] = loaded.y, (to)[2] = loaded.z, (to)[3] = loaded.w;           \
  }
#define STORE_1(space, to, from) (to)[0] = (from)[0];
#define STORE_2(space, to, from) *(space float2 *)(to) = wt_make_float2((from)[0], (from)[1]);
#define STORE_4(space, to, from) *(space float4 *)(to) = wt_make_float4((from)[0], (from)[1], (from)[2], (from)[3]);
#define PASTE(a, b) a##b
#define LOAD(width, space, to, from) PASTE(LOAD_, width)(space, to, from)
#define STORE(width, space, to, from) PASTE(STORE_, width)(space, to, from)

// Global memory -> registers -> local memory. Two halves, so that the first can run ahead of the arithmetic.
#define FETCH_A(k0)                                                                                                   \
  WT_UNROLL_FULL for (int i = 0; i < MWA; ++i) WT_UNROLL_FULL for (int j = 0; j < KWA; ++j)                           \
      LOAD(VWM, WT_GLOBAL, next_a + (i * KWA + j) * VWM, A + (row_a + i * MDIMA) * K + (k0) + (k_a + j * KDIMA) * VWM)
#define FETCH_B(k0)                                                                                                   \
  WT_UNROLL_FULL for (int i = 0; i < KWB; ++i) WT_UNROLL_FULL for (int j = 0; j < NWB; ++j)                           \
      LOAD(VWN, WT_GLOBAL, next_b + (i * NWB + j) * VWN, B + ((k0) + k_b + i * KDIMB) * N + col_b + j * NDIMB * VWN)
#define STAGE_A(tile)                                                                                                 \
  WT_UNROLL_FULL for (int i = 0; i < MWA; ++i) WT_UNROLL_FULL for (int j = 0; j < KWA; ++j)                           \
      WT_UNROLL_FULL for (int v = 0; v < VWM; ++v)                                                                    \
          (tile)[((k_a + j * KDIMA) * VWM + v) * STRIDE_A + local_row_a + i * MDIMA] = next_a[(i * KWA + j) * VWM + v];
#define STAGE_B(tile)                                                                                                 \
  WT_UNROLL_FULL for (int i = 0; i < KWB; ++i) WT_UNROLL_FULL for (int j = 0; j < NWB; ++j)                           \
      STORE(VWN, WT_LOCAL_PTR, (tile) + (k_b + i * KDIMB) * NWG + local_col_b + j * NDIMB * VWN,                      \
            next_b + (i * NWB + j) * VWN)

#if SA == 1
#define IF_SA(statement) statement
#else
#define IF_SA(statement)
#endif
#if SB == 1
#define IF_SB(statement) statement
#else
#define IF_SB(statement)
#endif

WT_KERNEL_BLOCK(MDIMC * NDIMC, 1, 1)
gemm(const WT_GLOBAL float *WT_RESTRICT A, const WT_GLOBAL float *WT_RESTRICT B, WT_GLOBAL float *WT_RESTRICT C) {
  const int thread = wt_local_id(0);
  const int row0 = wt_group_id(1) * MWG;
  const int col0 = wt_group_id(0) * NWG;

  // Place in the thread grid: groups of 32 threads form MDIMW x NDIMW patches, which sets how often one local-memory
  // access serves several threads.
  const int lane = thread % 32;
  const int patch = thread / 32;
  const int thread_n = (patch % (NDIMC / NDIMW)) * NDIMW + lane % NDIMW;
  const int thread_m = (patch / (NDIMC / NDIMW)) * MDIMW + lane / NDIMW;

#if SA == 1
  WT_LOCAL WT_ALIGN(16) float tile_a[BUFFERS * KWG * STRIDE_A];
  float next_a[MWA * KWA * VWM];
  const int k_a = thread % KDIMA;  // neighbouring threads along K, A's contiguous direction
  const int local_row_a = thread / KDIMA;
  const int row_a = row0 + local_row_a;
#endif
#if SB == 1
  WT_LOCAL WT_ALIGN(16) float tile_b[BUFFERS * KWG * NWG];
  float next_b[KWB * NWB * VWN];
  const int k_b = thread / NDIMB;
  const int local_col_b = (thread % NDIMB) * VWN;
  const int col_b = col0 + local_col_b;
#endif

  float sum[MWI * NWI];
  WT_UNROLL_FULL
  for (int i = 0; i < MWI * NWI; ++i) sum[i] = 0.0f;

#if PREFETCH > 0
  IF_SA(FETCH_A(0))
  IF_SB(FETCH_B(0))
#endif
#if PREFETCH == 2
  IF_SA(STAGE_A(tile_a))
  IF_SB(STAGE_B(tile_b))
  wt_barrier();
  int buffer = 0;
#endif

  WT_UNROLL(1)
  for (int k0 = 0; k0 < K; k0 += KWG) {
#if PREFETCH == 2
    if (k0 + KWG < K) {
      IF_SA(FETCH_A(k0 + KWG))
      IF_SB(FETCH_B(k0 + KWG))
    }
    IF_SA(WT_LOCAL_PTR const float *now_a = tile_a + buffer * (KWG * STRIDE_A);)
    IF_SB(WT_LOCAL_PTR const float *now_b = tile_b + buffer * (KWG * NWG);)
#elif SA == 1 || SB == 1
#if PREFETCH == 0
    IF_SA(FETCH_A(k0))
    IF_SB(FETCH_B(k0))
#endif
    IF_SA(STAGE_A(tile_a))
    IF_SB(STAGE_B(tile_b))
    wt_barrier();
#if PREFETCH == 1
    if (k0 + KWG < K) {
      IF_SA(FETCH_A(k0 + KWG))
      IF_SB(FETCH_B(k0 + KWG))
    }
#endif
    IF_SA(WT_LOCAL_PTR const float *now_a = tile_a;)
    IF_SB(WT_LOCAL_PTR const float *now_b = tile_b;)
#endif

    WT_UNROLL(KWI)
    for (int k = 0; k < KWG; ++k) {
      float a[MWI];
      float b[NWI];
      WT_UNROLL_FULL
      for (int i = 0; i < MWI / VWM; ++i) {
#if SA == 1
        LOAD(VWM, WT_LOCAL_PTR, a + i * VWM, now_a + k * STRIDE_A + (thread_m + i * MDIMC) * VWM)
#else
        WT_UNROLL_FULL
        for (int v = 0; v < VWM; ++v) a[i * VWM + v] = A[(row0 + (thread_m + i * MDIMC) * VWM + v) * K + k0 + k];
#endif
      }
      WT_UNROLL_FULL
      for (int j = 0; j < NWI / VWN; ++j) {
#if SB == 1
        LOAD(VWN, WT_LOCAL_PTR, b + j * VWN, now_b + k * NWG + (thread_n + j * NDIMC) * VWN)
#else
        LOAD(VWN, WT_GLOBAL, b + j * VWN, B + (k0 + k) * N + col0 + (thread_n + j * NDIMC) * VWN)
#endif
      }
      WT_UNROLL_FULL
      for (int i = 0; i < MWI; ++i) {
        WT_UNROLL_FULL
        for (int j = 0; j < NWI; ++j) sum[i * NWI + j] = wt_fma(a[i], b[j], sum[i * NWI + j]);
      }
    }

#if PREFETCH == 2
    // The other buffer was last read before the previous barrier, so one barrier a step is enough.
    buffer ^= 1;
    if (k0 + KWG < K) {
      IF_SA(STAGE_A(tile_a + buffer * (KWG * STRIDE_A)))
      IF_SB(STAGE_B(tile_b + buffer * (KWG * NWG)))
    }
    wt_barrier();
#elif SA == 1 || SB == 1
    wt_barrier();
#endif
  }

  WT_UNROLL_FULL
  for (int i = 0; i < MWI; ++i) {
    const int row = row0 + (thread_m + (i / VWM) * MDIMC) * VWM + i % VWM;
    WT_UNROLL_FULL
    for (int j = 0; j < NWI / VWN; ++j) {
      STORE(VWN, WT_GLOBAL, C + row * N + col0 + (thread_n + j * NDIMC) * VWN, sum + i * NWI + j * VWN)
    }
  }
}

// One thread an element, straight from the definition: what the tuned kernel is held to.
WT_KERNEL gemm_reference(const WT_GLOBAL float *WT_RESTRICT A, const WT_GLOBAL float *WT_RESTRICT B,
                         WT_GLOBAL float *WT_RESTRICT C) {
  const int col = wt_global_id(0);
  const int row = wt_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) sum = wt_fma(A[row * K + k], B[k * N + col], sum);
  C[row * N + col] = sum;
}
