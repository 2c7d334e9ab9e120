// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests threads of a kernel on the CPU.

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "shim/Block.h"
#include "shim/Device.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

using namespace moert;

namespace {

/// Runs `body` as every thread of a grid in several orders, and expects no
/// error.
void runAll(shim::Dim3 grid, shim::Dim3 block,
            const std::function<void()> &body) {
  for (uint64_t seed : {0, 1, 2, 3}) {
    shim::Launch launch;
    launch.name = "test";
    launch.grid = grid;
    launch.block = block;
    launch.seed = seed;
    EXPECT_EQ(shim::run(launch, body), "") << "seed " << seed;
  }
}

/// Returns the error of a kernel with one block.
std::string findProblem(unsigned threads, const std::function<void()> &body) {
  shim::Launch launch;
  launch.name = "test";
  launch.block = {threads, 1, 1};
  launch.seed = 1;
  return shim::run(launch, body);
}

void expectPart(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos)
      << "expected '" << part << "' in: " << text;
}

} // namespace

TEST(ShimTest, RunsEveryThreadOnce) {
  shim::Dim3 grid{3, 2, 2}, block{5, 3, 2};
  std::vector<int> runs;
  auto body = [&] {
    EXPECT_EQ(gridDim.count(), 12u);
    EXPECT_EQ(blockDim.count(), 30u);
    auto at = [](const shim::Dim3 &i, const shim::Dim3 &n) {
      return (i.z * n.y + i.y) * n.x + i.x;
    };
    ++runs[at(blockIdx, gridDim) * 30 + at(threadIdx, blockDim)];
  };
  for (uint64_t seed : {0, 1, 2}) {
    runs.assign(360, 0);
    shim::Launch launch;
    launch.grid = grid;
    launch.block = block;
    launch.seed = seed;
    EXPECT_EQ(shim::run(launch, body), "");
    EXPECT_EQ(runs, std::vector<int>(360, 1));
  }
}

TEST(ShimTest, OrdersFollowTheSeed) {
  auto getOrder = [](uint64_t seed) {
    std::vector<unsigned> order;
    shim::Launch launch;
    launch.block = {64, 1, 1};
    launch.grid = {8, 1, 1};
    launch.seed = seed;
    shim::run(launch, [&] { order.push_back(blockIdx.x * 64 + threadIdx.x); });
    return order;
  };
  std::vector<unsigned> ascending = getOrder(0);
  EXPECT_TRUE(std::is_sorted(ascending.begin(), ascending.end()));
  EXPECT_EQ(getOrder(7), getOrder(7));
  EXPECT_NE(getOrder(7), getOrder(8));
  EXPECT_NE(getOrder(7), ascending);
}

TEST(ShimTest, BarriersOrderMemory) {
  std::vector<int> shared(96), results(96);
  runAll({4, 1, 1}, {96, 1, 1}, [&] {
    unsigned t = threadIdx.x;
    for (int round = 0; round < 5; ++round) {
      shared[t] = static_cast<int>(t) * round;
      __syncthreads();
      results[t] = shared[95 - t];
      __syncthreads();
    }
    EXPECT_EQ(results[t], static_cast<int>(95 - t) * 4);
  });
}

TEST(ShimTest, OrdersShowAMissingBarrier) {
  // Without barriers, the result must be wrong in at least one order.
  std::set<bool> found;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    std::vector<int> shared(64, -1);
    bool isRight = true;
    shim::Launch launch;
    launch.block = {64, 1, 1};
    launch.seed = seed;
    shim::run(launch, [&] {
      shared[threadIdx.x] = static_cast<int>(threadIdx.x);
      isRight &= shared[63 - threadIdx.x] == static_cast<int>(63 - threadIdx.x);
    });
    found.insert(isRight);
  }
  EXPECT_TRUE(found.count(false));
}

TEST(ShimTest, WarpsVoteAndShuffle) {
  // The last warp has 8 lanes.
  runAll({2, 1, 1}, {72, 1, 1}, [] {
    unsigned t = threadIdx.x, lane = t % 32;
    unsigned all = t < 64 ? 0xffffffff : 0xff;
    EXPECT_EQ(__ballot_sync(0xffffffff, lane % 3 == 0), 0x49249249 & all);
    EXPECT_TRUE(__any_sync(0xffffffff, lane == 5));
    EXPECT_FALSE(__all_sync(0xffffffff, lane == 5));
    EXPECT_EQ(__shfl_sync(0xffffffff, t * 1.5, 3), (t - lane + 3) * 1.5);
    if (t >= 64)
      return;
    EXPECT_EQ(__shfl_xor_sync(0xffffffff, t, 16), t ^ 16u);
    EXPECT_EQ(__shfl_down_sync(0xffffffff, lane, 4),
              lane < 28 ? lane + 4 : lane);
    EXPECT_EQ(__shfl_up_sync(0xffffffff, lane, 4), lane < 4 ? lane : lane - 4);
    EXPECT_EQ(__shfl_down_sync(0xffffffff, lane, 1, 8),
              lane % 8 == 7 ? lane : lane + 1);
    EXPECT_EQ(__shfl_sync(0xffffffff, lane, 9, 8), lane / 8 * 8 + 1);
    EXPECT_EQ(__match_any_sync(0xffffffff, lane % 4), 0x11111111u << lane % 4);
    // The two halves of a warp, separately.
    unsigned half = lane < 16 ? 0x0000ffff : 0xffff0000;
    EXPECT_EQ(__ballot_sync(half, 1), half);
    EXPECT_EQ(__match_any_sync(half, 7LL), half);
    int sum = 1;
    for (int offset = 16; offset; offset /= 2)
      sum += __shfl_xor_sync(0xffffffff, sum, offset);
    EXPECT_EQ(sum, 32);
  });
}

TEST(ShimTest, AtomicsCountEveryThread) {
  int sum = 0;
  float real = 0;
  unsigned long long top = 0;
  runAll({3, 1, 1}, {40, 1, 1}, [&] {
    atomicAdd(&sum, 1);
    atomicAdd(&real, 0.5f);
    atomicMax(&top, threadIdx.x);
  });
  EXPECT_EQ(sum, 480);
  EXPECT_EQ(real, 240);
  EXPECT_EQ(top, 39u);
  EXPECT_EQ(atomicCAS_system(&sum, 480, 7), 480);
  EXPECT_EQ(atomicExch_system(&sum, 9), 7);
}

TEST(ShimTest, ABarrierThatNotAllReachIsAnError) {
  expectPart(findProblem(64,
                         [] {
                           if (threadIdx.x < 3)
                             __syncthreads();
                         }),
             "kernel test, block (0, 0, 0): of 64 threads 3 wait at "
             "__syncthreads, 0 for lanes of their warp, and 61 have ended");
  expectPart(findProblem(64,
                         [] {
                           if (threadIdx.x < 32)
                             __syncthreads();
                           else if (threadIdx.x != 40)
                             __ballot_sync(0xffffffff, 1);
                           else
                             __syncthreads();
                         }),
             "of 64 threads 33 wait at __syncthreads, 31 for lanes");
  // The next kernel is not affected.
  EXPECT_EQ(findProblem(64, [] { __syncthreads(); }), "");
}

TEST(ShimTest, LanesThatDoDifferentThingsAreAnError) {
  expectPart(findProblem(32,
                         [] {
                           if (threadIdx.x < 16)
                             __ballot_sync(0xffffffff, 1);
                           else
                             __shfl_sync(0xffffffff, 1, 0);
                         }),
             "call different warp functions");
  expectPart(findProblem(8, [] { __shfl_sync(0xffffffff, 1, 9); }),
             "asks for the value of lane 9, which does not take part");
  expectPart(findProblem(32, [] { __ballot_sync(1, 1); }),
             "expected a mask with the calling lane");
}

TEST(ShimTest, WritesBehindSharedMemoryAreAnError) {
  std::vector<char> memory(16 + shim::kSharedMargin);
  shim::Launch launch;
  launch.name = "test";
  launch.shared = memory.data();
  launch.sharedBytes = 16;
  EXPECT_EQ(shim::run(launch, [&] { memory[15] = 1; }), "");
  expectPart(shim::run(launch, [&] { memory[16] = 1; }),
             "expected writes to the 16 bytes of shared memory");
}

//===----------------------------------------------------------------------===//
// 16-bit floats
//===----------------------------------------------------------------------===//

#ifdef MOERT_HAS_CUDA_HEADERS
// CudaHalves.cpp has the same functions from CUDA's own headers.
namespace cudaheaders {
float halfToFloat(uint16_t bits);
float bfloatToFloat(uint16_t bits);
uint16_t floatToHalf(float value);
uint16_t floatToBFloat(float value);
uint16_t doubleToHalf(double value);
uint16_t doubleToBFloat(double value);
uint32_t floatsToHalves(float x, float y);
uint32_t floatsToBFloats(float x, float y);
} // namespace cudaheaders

static void expectSame(float own, float theirs, unsigned bits) {
  if (own == own || theirs == theirs) {
    ASSERT_EQ(__float_as_uint(own), __float_as_uint(theirs)) << bits;
  }
}

TEST(ShimTest, HalvesAreThoseOfCuda) {
  for (unsigned bits = 0; bits <= 0xffff; ++bits) {
    auto own = static_cast<uint16_t>(bits);
    expectSame(__half2float(__ushort_as_half(own)),
               cudaheaders::halfToFloat(own), bits);
    expectSame(__bfloat162float(__ushort_as_bfloat16(own)),
               cudaheaders::bfloatToFloat(own), bits);
  }
  std::mt19937_64 random(1);
  for (unsigned i = 0; i < 4000000; ++i) {
    // Every exponent and sign, and numbers near ties.
    auto bits = static_cast<uint32_t>(random());
    if (i % 2)
      bits = (bits & 0xffffe000) | (0x1000 + (i / 2) % 3 - 1);
    if (i % 5 == 0)
      bits = (bits & 0xffff0000) | (0x8000 + (i / 5) % 3 - 1);
    float value = __uint_as_float(bits);
    ASSERT_EQ(__half_as_ushort(__float2half_rn(value)),
              cudaheaders::floatToHalf(value))
        << bits;
    ASSERT_EQ(__bfloat16_as_ushort(__float2bfloat16_rn(value)),
              cudaheaders::floatToBFloat(value))
        << bits;
    double wide = __longlong_as_double(static_cast<long long>(
        (uint64_t{bits} << 32 & 0x8fffffff00000000) | 0x3e00000000000000 |
        (i % 3 ? random() & 0xffffffff : 1)));
    ASSERT_EQ(__half_as_ushort(__double2half(wide)),
              cudaheaders::doubleToHalf(wide))
        << wide;
    ASSERT_EQ(__bfloat16_as_ushort(__double2bfloat16(wide)),
              cudaheaders::doubleToBFloat(wide))
        << wide;
    if (i % 64 == 0) {
      ASSERT_EQ(shim::getBits<uint32_t>(__floats2half2_rn(value, 1.5f)),
                cudaheaders::floatsToHalves(value, 1.5f));
      ASSERT_EQ(shim::getBits<uint32_t>(__floats2bfloat162_rn(1.5f, value)),
                cudaheaders::floatsToBFloats(1.5f, value));
    }
  }
}
#else
TEST(ShimTest, HalvesAreThoseOfCuda) {
  GTEST_SKIP() << "CUDA's headers were not there when this was built";
}
#endif
