// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grouped products for sm_90a, with CUTLASS.

// A persistent kernel: each block takes one tile after another from
// GroupedTiles.h, whose numbers of rows are in device memory. One warp loads
// slices of both operands with TMA into a ring of stages; two warpgroups
// multiply them on tensor cores with f32 sums, round once, and store only the
// rows of the tile's group. Tensor maps describe whole matrices, so no map
// depends on the rows of a group.

#include "nccl/GroupedTiles.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cute/arch/cluster_sm90.hpp>
#include <cute/arch/copy_sm90_tma.hpp>
#include <cute/arch/mma_sm90_gmma.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
#include <cute/tensor.hpp>
#include <cutlass/arch/barrier.h>
#include <cutlass/arch/reg_reconfig.h>

using namespace cute;
using namespace moert::cuda;

namespace {

constexpr int kStages = 4, kConsumers = 256;
/// A warp of consumers stores this many columns at a time, from lines in shared
/// memory with a gap of 16 bytes, so that writes use all banks.
constexpr int kStoreColumns = 64, kStoreLine = kStoreColumns + 8;

template <GMMA::Major major, typename Element> struct LineAtom {
  using type = GMMA::Layout_K_SW128_Atom<Element>;
};
template <typename Element> struct LineAtom<GMMA::Major::MN, Element> {
  using type = GMMA::Layout_MN_SW128_Atom<Element>;
};

template <typename Element, GMMA::Major a, GMMA::Major b> struct Instruction;
template <GMMA::Major a, GMMA::Major b> struct Instruction<bfloat16_t, a, b> {
  using type = SM90_64x256x16_F32BF16BF16_SS<a, b>;
};
template <GMMA::Major a, GMMA::Major b> struct Instruction<half_t, a, b> {
  using type = SM90_64x256x16_F32F16F16_SS<a, b>;
};

/// The types of one kind of product.
template <GroupedKind kind, typename Element> struct Machine {
  static constexpr GMMA::Major kMajorA =
      isInnerA(kind) ? GMMA::Major::K : GMMA::Major::MN;
  static constexpr GMMA::Major kMajorB =
      isInnerB(kind) ? GMMA::Major::K : GMMA::Major::MN;
  using Mma = decltype(make_tiled_mma(
      typename Instruction<Element, kMajorA, kMajorB>::type{},
      Layout<Shape<_2, _1, _1>>{}));
  /// Boxes follow each other, so atoms along the lines of a box come first.
  template <GMMA::Major major, int extent>
  using Slices = decltype(tile_to_shape(
      typename LineAtom<major, Element>::type{},
      Shape<Int<extent>, Int<kSliceInner>, Int<kStages>>{},
      conditional_t<major == GMMA::Major::MN, Step<_2, _1, _3>,
                    Step<_1, _2, _3>>{}));
  using SlicesA = Slices<kMajorA, kTileRows>;
  using SlicesB = Slices<kMajorB, kTileColumns>;
};

/// Where TMA with a swizzle of 128 bytes puts an element of a slice: line by
/// line, with the 16-byte words of a line exchanged by the line's number.
template <bool isInner, int extent>
constexpr int getPlaceOfTma(int place, int inner) {
  int line = isInner ? place : inner, at = isInner ? inner : place;
  int box = at / kTileLine, word = at % kTileLine / 8;
  return box * kTileLine * (isInner ? extent : kSliceInner) + line * kTileLine +
         ((word ^ line % 8) * 8) + at % 8;
}

/// Returns true if the layout for tensor cores is the layout of TMA.
template <typename Slices, bool isInner, int extent>
constexpr bool isLayoutOfTma() {
  // Swizzles of elements instead of bytes.
  decltype(as_position_independent_swizzle_layout(Slices{})) layout;
  for (int stage = 0; stage < kStages; ++stage)
    for (int place = 0; place < extent; place += 3)
      for (int inner = 0; inner < kSliceInner; inner += 5)
        if (layout(place, inner, stage) !=
            getPlaceOfTma<isInner, extent>(place, inner) +
                stage * extent * kSliceInner)
          return false;
  return true;
}

/// Returns true if sum `2 (i + 2 j) + c` of thread t of a warpgroup is the
/// element in row 16 (t / 32) + (t % 32) / 4 + 8 i and column
/// 8 j + 2 (t % 4) + c, as `storeRows` assumes.
template <typename Mma> constexpr bool hasRowsOfStores() {
  typename Mma::AtomLayoutC_TV layout;
  // The layout is linear in each bit of the two numbers.
  for (int thread = 0; thread < 128; thread = thread ? 2 * thread : 1)
    for (int value = 0; value < kTileColumns / 2;
         value = value ? 2 * value : 1) {
      int row = thread / 32 * 16 + thread % 32 / 4 + value / 2 % 2 * 8;
      int column = value / 4 * 8 + thread % 4 * 2 + value % 2;
      if (layout(thread, value) != row + column * 64)
        return false;
    }
  return true;
}

/// Shared memory of a block. TMA and tensor cores need slices that begin at
/// multiples of 1024 bytes.
template <typename Element> struct Shared {
  alignas(1024) Element a[kStages][kTileRows * kSliceInner];
  alignas(1024) Element b[kStages][kTileColumns * kSliceInner];
  alignas(16) Element lines[kConsumers / 32][16][kStoreLine];
  uint64_t full[kStages], empty[kStages];
  int ends[kMostGroups];
};

/// The stage of a slice, and how often the ring has been around.
struct Ring {
  int stage = 0;
  uint32_t phase = 0;
  __device__ void advance() {
    if (++stage == kStages) {
      stage = 0;
      phase ^= 1;
    }
  }
};

/// Counts the tiles down all groups before the end of each one.
template <GroupedKind kind>
__device__ void sumTiles(const GroupedArgs &args, int *ends) {
  for (int g = threadIdx.x; g < args.numGroups; g += kGroupedThreads)
    ends[g] = getTilesDown(kind, args, g);
  __syncthreads();
  if (threadIdx.x < 32) {
    int before = 0;
    for (int first = 0; first < args.numGroups; first += 32) {
      int g = first + threadIdx.x, own = g < args.numGroups ? ends[g] : 0;
      for (int step = 1; step < 32; step *= 2) {
        int other = __shfl_up_sync(~0u, own, step);
        if (threadIdx.x >= step)
          own += other;
      }
      if (g < args.numGroups)
        ends[g] = before + own;
      before += __shfl_sync(~0u, own, 31);
    }
  }
  __syncthreads();
}

template <typename Boxes, typename Element, typename GetPlace>
__device__ void loadSlice(const TensorMap &map, uint64_t *full, Element *slice,
                          GetPlace getPlace) {
  CUTE_UNROLL
  for (int box = 0; box < Boxes::kCount; ++box) {
    BoxPlace place = getPlace(box);
    SM90_TMA_LOAD_3D::copy(
        &map, full, static_cast<uint64_t>(TMA::CacheHintSm90::EVICT_NORMAL),
        slice + box * Boxes::kLines * kTileLine, place.at[0], place.at[1],
        place.at[2]);
  }
}

/// Keeps the ring full. Called by one thread.
template <GroupedKind kind, typename Element>
__device__ void produce(const GroupedArgs &args, Shared<Element> &shared) {
  using Work = TileWork<kind>;
  using Barrier = cutlass::arch::ClusterTransactionBarrier;
  constexpr uint32_t kBytes =
      (kTileRows + kTileColumns) * kSliceInner * sizeof(Element);
  GroupedTiles tiles(shared.ends, args.numGroups, args.columns);
  Ring ring;
  for (int number = blockIdx.x, count = tiles.count(); number < count;
       number += gridDim.x) {
    Work work(args, tiles.get(number));
    for (int slice = 0, slices = work.countSlices(); slice < slices; ++slice) {
      int stage = ring.stage;
      // At first, all stages are empty.
      Barrier::wait(&shared.empty[stage], ring.phase ^ 1);
      Barrier::arrive_and_expect_tx(&shared.full[stage], kBytes);
      loadSlice<typename Work::BoxesA>(
          args.a, &shared.full[stage], shared.a[stage],
          [&](int box) { return work.getBoxOfA(slice, box); });
      loadSlice<typename Work::BoxesB>(
          args.b, &shared.full[stage], shared.b[stage],
          [&](int box) { return work.getBoxOfB(slice, box); });
      ring.advance();
    }
  }
}

/// Clears the lines of a slice from `depth` on, which are rows of other groups.
/// They may be NaN, so both operands must be cleared.
template <typename Element, int numBoxes>
__device__ void clearLines(Element *slice, int depth, int thread) {
  int words = (kSliceInner - depth) * kTileLine / 8;
  for (int i = thread; i < numBoxes * words; i += kConsumers) {
    int box = i / words, word = i % words;
    Element *first = slice + (box * kSliceInner + depth) * kTileLine;
    reinterpret_cast<uint4 *>(first)[word] = uint4{0, 0, 0, 0};
  }
}

__device__ inline __nv_bfloat162 makePair(bfloat16_t, float x, float y) {
  return __floats2bfloat162_rn(x, y);
}
__device__ inline __half2 makePair(half_t, float x, float y) {
  return __floats2half2_rn(x, y);
}
__device__ inline float2 getPair(bfloat16_t, const void *pair) {
  return __bfloat1622float2(*static_cast<const __nv_bfloat162 *>(pair));
}
__device__ inline float2 getPair(half_t, const void *pair) {
  return __half22float2(*static_cast<const __half2 *>(pair));
}

/// Rounds a warp's 16 rows of sums and stores those that are part of the
/// result. In tensor cores' layout, lane l has the elements 2 (l % 4) and
/// 2 (l % 4) + 1 of each 8 columns of the rows l / 4 and l / 4 + 8.
template <GroupedKind kind, typename Element, typename Sums>
__device__ void storeRows(const GroupedArgs &args, const TileWork<kind> &work,
                          Element (*lines)[kStoreLine], int warp,
                          const Sums &sums) {
  int lane = threadIdx.x % 32, firstRow = 16 * warp;
  int numRows = min(work.numRows - firstRow, 16);
  long long pitch = args.columns;
  Element *result = static_cast<Element *>(args.result) +
                    (work.firstRow + firstRow) * pitch + work.tile.column;
  CUTE_UNROLL
  for (int first = 0; first < kTileColumns; first += kStoreColumns) {
    __syncwarp();
    CUTE_UNROLL
    for (int j = 0; j < kStoreColumns / 8; ++j)
      CUTE_UNROLL
    for (int i = 0; i < 2; ++i) {
      int row = lane / 4 + 8 * i, column = 8 * j + 2 * (lane % 4);
      int at = 4 * (first / 8 + j) + 2 * i;
      float x = sums(at), y = sums(at + 1);
      if (args.adds && row < numRows && first + column < work.numColumns) {
        float2 old = getPair(Element(), result + row * pitch + first + column);
        x += old.x;
        y += old.y;
      }
      auto pair = makePair(Element(), x, y);
      memcpy(&lines[row][column], &pair, sizeof(pair));
    }
    __syncwarp();
    // Eight lanes store a line of 128 bytes.
    CUTE_UNROLL
    for (int step = 0; step < 4; ++step) {
      int row = 4 * step + lane / 8, column = lane % 8 * 8;
      if (row < numRows && first + column < work.numColumns)
        *reinterpret_cast<uint4 *>(result + row * pitch + first + column) =
            *reinterpret_cast<const uint4 *>(&lines[row][column]);
    }
  }
}

/// Multiplies the slices of the ring. Called by the threads of both consumer
/// warpgroups.
template <GroupedKind kind, typename Element>
__device__ void consume(const GroupedArgs &args, Shared<Element> &shared) {
  using Types = Machine<kind, Element>;
  using Work = TileWork<kind>;
  using Barrier = cutlass::arch::ClusterBarrier;
  int thread = threadIdx.x - (kGroupedThreads - kConsumers);
  int warp = __shfl_sync(~0u, thread / 32, 0);
  typename Types::Mma mma;
  Tensor slicesA =
      make_tensor(make_smem_ptr(&shared.a[0][0]), typename Types::SlicesA{});
  Tensor slicesB =
      make_tensor(make_smem_ptr(&shared.b[0][0]), typename Types::SlicesB{});
  // The warpgroup selects its rows of `a`; descriptors must be uniform.
  auto own = mma.get_slice(warp / 4 * 128);
  Tensor a = own.make_fragment_A(own.partition_A(slicesA));
  Tensor b = own.make_fragment_B(own.partition_B(slicesB));
  Tensor sums =
      partition_fragment_C(mma, Shape<Int<kTileRows>, Int<kTileColumns>>{});
  static_assert(size(decltype(sums){}) == kTileColumns / 2);

  GroupedTiles tiles(shared.ends, args.numGroups, args.columns);
  Ring ring;
  for (int number = blockIdx.x, count = tiles.count(); number < count;
       number += gridDim.x) {
    Work work(args, tiles.get(number));
    int slices = work.countSlices(), last = 0;
    clear(sums);
    for (int slice = 0; slice < slices; ++slice) {
      int stage = ring.stage;
      Barrier::wait(&shared.full[stage], ring.phase);
      if (int depth = work.getDepth(slice);
          kind == GroupedKind::Columns && depth < kSliceInner) {
        clearLines<Element, Work::BoxesA::kCount>(shared.a[stage], depth,
                                                  thread);
        clearLines<Element, Work::BoxesB::kCount>(shared.b[stage], depth,
                                                  thread);
        cutlass::arch::fence_view_async_shared();
        cutlass::arch::NamedBarrier::sync(
            kConsumers, cutlass::arch::ReservedNamedBarriers::FirstUserBarrier);
      }
      warpgroup_fence_operand(sums);
      warpgroup_arrive();
      gemm(mma, a(_, _, _, stage), b(_, _, _, stage), sums);
      warpgroup_commit_batch();
      // The previous slice has been read as soon as only this one is under way.
      warpgroup_wait<1>();
      warpgroup_fence_operand(sums);
      if (slice > 0 && threadIdx.x % 32 == 0)
        Barrier::arrive(&shared.empty[last]);
      last = stage;
      ring.advance();
    }
    warpgroup_wait<0>();
    warpgroup_fence_operand(sums);
    if (slices > 0 && threadIdx.x % 32 == 0)
      Barrier::arrive(&shared.empty[last]);
    storeRows<kind>(args, work, shared.lines[warp], warp, sums);
  }
}

template <GroupedKind kind, typename Element>
__device__ void multiplyGroups(const GroupedArgs &args) {
  using Types = Machine<kind, Element>;
  static_assert(
      isLayoutOfTma<typename Types::SlicesA, isInnerA(kind), kTileRows>());
  static_assert(
      isLayoutOfTma<typename Types::SlicesB, isInnerB(kind), kTileColumns>());
  static_assert(hasRowsOfStores<typename Types::Mma>());
  extern __shared__ char memory[];
  // The host adds 1024 bytes for the alignment.
  uint32_t address = cast_smem_ptr_to_uint(memory);
  auto &shared = *reinterpret_cast<Shared<Element> *>(
      memory + ((address + 1023) / 1024 * 1024 - address));
  static_assert(sizeof(Shared<Element>) + 1024 <= kGroupedSharedBytes);
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      cutlass::arch::ClusterTransactionBarrier::init(&shared.full[stage], 1);
      cutlass::arch::ClusterBarrier::init(&shared.empty[stage],
                                          kConsumers / 32);
    }
    cutlass::arch::fence_barrier_init();
  }
  sumTiles<kind>(args, shared.ends);
  if (threadIdx.x < kGroupedThreads - kConsumers) {
    cutlass::arch::warpgroup_reg_dealloc<40>();
    if (threadIdx.x == 0)
      produce<kind>(args, shared);
  } else {
    cutlass::arch::warpgroup_reg_alloc<232>();
    consume<kind>(args, shared);
  }
}

} // namespace

#define MOERT_GROUPED(name, kind, Element)                                     \
  extern "C" __global__ void __launch_bounds__(kGroupedThreads, 1)             \
      name(const __grid_constant__ GroupedArgs args) {                         \
    multiplyGroups<GroupedKind::kind, Element>(args);                          \
  }
MOERT_GROUPED(moert_grouped_rows_bf16, Rows, bfloat16_t)
MOERT_GROUPED(moert_grouped_turned_bf16, TurnedRows, bfloat16_t)
MOERT_GROUPED(moert_grouped_columns_bf16, Columns, bfloat16_t)
MOERT_GROUPED(moert_grouped_rows_f16, Rows, half_t)
MOERT_GROUPED(moert_grouped_turned_f16, TurnedRows, half_t)
MOERT_GROUPED(moert_grouped_columns_f16, Columns, half_t)
