// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests decisions of the backend 'nccl' on the host.

#include "kernels/Kernels.h"
#include "nccl/CopyPlan.h"
#include "nccl/CudaDriver.h"
#include "nccl/KernelErrors.h"
#include "nccl/NcclLibrary.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace moert;

using Names = std::vector<std::string>;

TEST(DeviceTest, CublasFollowsTheDriver) {
  Names all = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"};
  EXPECT_EQ(nccl::getBlasNames(14010), all);
  EXPECT_EQ(nccl::getBlasNames(13000), all);
  EXPECT_EQ(nccl::getBlasNames(12080), Names(all.begin() + 1, all.end()));
  EXPECT_EQ(nccl::getBlasNames(12000), Names(all.begin() + 1, all.end()));
  EXPECT_EQ(nccl::getBlasNames(11080), Names(all.begin() + 2, all.end()));
}

TEST(DeviceTest, KernelsNeedADriverOfTheirTime) {
  EXPECT_EQ(cuda::explainImageVersion(12020, 12080), "");
  EXPECT_EQ(cuda::explainImageVersion(12090, 12020), "");
  EXPECT_EQ(cuda::explainImageVersion(12090, 13000), "");
  // The CUDA version of driver 535.
  EXPECT_EQ(cuda::explainImageVersion(13010, 12020),
            "; nvcc 13.1 made them, which needs a driver for CUDA 13.0 or "
            "later, and the driver is for 12.2: update it, or build with an "
            "nvcc for CUDA 12 (-DMOERT_NVCC=PATH)");
}

// Devices report errors with the same messages as CPU kernels.

TEST(DeviceTest, WordsOfSlots) {
  float data[12] = {};
  int32_t slots[6] = {0, 1, -1, 2, 7, 3};
  cuda::Error error = {1, cuda::kScatterSlot, 7, 4, 2, 6};
  moert_scatter_args scatter = {};
  scatter.tokens = 3;
  scatter.top_k = 2;
  scatter.rows = 6;
  scatter.x = scatter.buffer = data;
  scatter.slots = slots;
  scatter.hidden = 1;
  scatter.type = scatter.weights_type = MOERT_F32;
  scatter.slots_type = MOERT_I32;
  EXPECT_EQ(cuda::describe(error), runScatter(scatter).getMessage());

  moert_unorder_wgrad_args wgrad = {};
  wgrad.tokens = 3;
  wgrad.top_k = 2;
  wgrad.rows = 6;
  wgrad.hidden = 1;
  wgrad.dy = wgrad.buffer = wgrad.result = data;
  wgrad.slots = slots;
  wgrad.type = wgrad.result_type = MOERT_F32;
  wgrad.slots_type = MOERT_I32;
  error.code = cuda::kUnorderWgradSlot;
  EXPECT_EQ(cuda::describe(error), runUnpermuteWgrad(wgrad).getMessage());

  moert_unorder_args unorder = {};
  unorder.tokens = 3;
  unorder.top_k = 2;
  unorder.rows = 6;
  unorder.hidden = 1;
  unorder.buffer = unorder.weights = unorder.result = data;
  unorder.slots = slots;
  unorder.type = unorder.weights_type = MOERT_F32;
  unorder.slots_type = MOERT_I32;
  error.code = cuda::kUnorderSlot;
  EXPECT_EQ(cuda::describe(error), runUnpermute(unorder).getMessage());

  slots[4] = 1;
  error = {1, cuda::kScatterSlotAgain, 1, 4, 2, 6};
  EXPECT_EQ(cuda::describe(error), runScatter(scatter).getMessage());
}

TEST(DeviceTest, WordsOfExperts) {
  float data[12] = {};
  int32_t ids[6] = {0, 1, 0, -3, 1, 1}, slots[6];
  moert_order_args order = {};
  order.kind = MOERT_ORDER_TOKEN;
  order.tokens = 3;
  order.top_k = 2;
  order.experts = 2;
  order.capacity = 4;
  order.hidden = 1;
  order.x = order.buffer = data;
  order.ids = ids;
  order.slots = slots;
  order.type = MOERT_F32;
  order.ids_type = MOERT_I32;
  EXPECT_EQ(cuda::describe({1, cuda::kOrderExpert, -3, 3, 2, 2}),
            runPermute(order).getMessage());
}

TEST(DeviceTest, WordsOfChoices) {
  float data[12] = {};
  int32_t ids[6] = {0, 1, 1, 0, 1, 1};
  moert_gate_grad_args grad = {};
  grad.kind = MOERT_GATE_SIGMOID;
  grad.tokens = 3;
  grad.hidden = 1;
  grad.top_k = 2;
  grad.experts = 2;
  grad.scale = 1;
  grad.x = grad.router = grad.dw = data;
  grad.dx = grad.drouter = data;
  grad.ids = ids;
  grad.type = grad.router_type = grad.dw_type = MOERT_F32;
  grad.ids_type = MOERT_I32;
  EXPECT_EQ(cuda::describe({1, cuda::kGateGradExpert, 1, 5, 2, 2}),
            runGateGrad(grad).getMessage());
  ids[1] = -4;
  EXPECT_EQ(cuda::describe({1, cuda::kGateGradExpert, -4, 1, 2, 2}),
            runGateGrad(grad).getMessage());
}

// The plan for copying a box: the kernel, and the number of bytes per word.

using Way = nccl::CopyPlan::Way;

static nccl::CopyPlan plan(std::vector<int64_t> sizes,
                           std::vector<int64_t> targetStrides,
                           std::vector<int64_t> sourceStrides,
                           size_t elementBytes, uintptr_t target = 256,
                           uintptr_t source = 512) {
  nccl::CopyPlan plan =
      nccl::planCopy(normalizeBox(sizes, targetStrides, sourceStrides),
                     reinterpret_cast<void *>(target),
                     reinterpret_cast<void *>(source), elementBytes);
  // The plan must copy each byte exactly once.
  int64_t bytes = static_cast<int64_t>(elementBytes);
  for (int64_t size : sizes)
    bytes *= size;
  EXPECT_EQ(plan.args.count * plan.args.elementBytes, bytes);
  return plan;
}

TEST(DeviceTest, CopiesRunsByTheDriver) {
  EXPECT_EQ(plan({}, {}, {}, 4).way, Way::Run);
  EXPECT_EQ(plan({3, 4}, {4, 1}, {4, 1}, 2, 2, 6).way, Way::Run);
}

TEST(DeviceTest, CopiesRowsInTheWidestWords) {
  auto words = [](const nccl::CopyPlan &plan) {
    EXPECT_EQ(plan.way, Way::Words);
    return plan.args.elementBytes;
  };
  nccl::CopyPlan rows = plan({5, 64}, {128, 1}, {96, 1}, 2);
  EXPECT_EQ(words(rows), 16);
  EXPECT_EQ(rows.args.sizes[1], 8);
  EXPECT_EQ(rows.args.targetStrides[0], 16);
  EXPECT_EQ(rows.args.sourceStrides[0], 12);
  EXPECT_EQ(rows.args.sourceStrides[1], 1);
  EXPECT_TRUE(rows.args.isNarrow);
  // Addresses, row lengths and distances limit the word size.
  EXPECT_EQ(words(plan({5, 64}, {128, 1}, {96, 1}, 2, 264)), 8);
  EXPECT_EQ(words(plan({5, 64}, {128, 1}, {96, 1}, 2, 256, 516)), 4);
  EXPECT_EQ(words(plan({5, 63}, {128, 1}, {96, 1}, 2)), 2);
  EXPECT_EQ(words(plan({5, 64}, {128, 1}, {94, 1}, 2)), 4);
  // Broadcast rows, reversed rows, and no rows.
  EXPECT_EQ(words(plan({5, 64}, {64, 1}, {0, 1}, 2)), 16);
  EXPECT_EQ(words(plan({5, 64}, {-128, 1}, {96, 1}, 8)), 16);
  EXPECT_EQ(words(plan({50}, {-1}, {1}, 4)), 4);
  EXPECT_EQ(words(plan({40}, {3}, {2}, 1)), 1);
  // 32-bit indices if they reach all elements.
  EXPECT_TRUE(
      plan({1 << 14, 1 << 15}, {1 << 16, 1}, {1 << 15, 1}, 16).args.isNarrow);
  EXPECT_FALSE(
      plan({1 << 15, 1 << 15}, {1 << 16, 1}, {1 << 15, 1}, 16).args.isNarrow);
}

TEST(DeviceTest, CopiesTurnedBoxesThroughTiles) {
  EXPECT_EQ(plan({70, 130}, {1, 70}, {130, 1}, 2).way, Way::Tiles);
  EXPECT_EQ(plan({3, 70, 130}, {9100, 1, 70}, {9100, 130, 1}, 8).way,
            Way::Tiles);
  EXPECT_EQ(plan({8, 130}, {1, 8}, {130, 1}, 2).way, Way::Words);
}

TEST(DeviceTest, MapsPrioritiesOntoTheRangeOfTheDevice) {
  // 0 is the normal priority, and so are less urgent ones.
  for (int32_t priority : {0, 1, 3})
    EXPECT_EQ(cuda::getDevicePriority(priority, 0, -5), 0);
  for (int32_t priority = MOERT_MOST_URGENT; priority < 0; ++priority)
    EXPECT_EQ(cuda::getDevicePriority(priority, 0, -5), priority);
  EXPECT_EQ(cuda::getDevicePriority(-100, 0, -5), -5);
  EXPECT_EQ(cuda::getDevicePriority(-5, 0, -9), -5);
  // With fewer levels, urgent streams keep a higher priority than normal ones.
  for (int32_t priority : {-1, -5})
    EXPECT_EQ(cuda::getDevicePriority(priority, 0, -1), -1);
  EXPECT_EQ(cuda::getDevicePriority(-1, 0, -2), -1);
  EXPECT_EQ(cuda::getDevicePriority(-5, 0, -2), -2);
  EXPECT_EQ(cuda::getDevicePriority(-5, 0, 0), 0);
}
