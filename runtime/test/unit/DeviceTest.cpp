//===- DeviceTest.cpp - What the backend 'nccl' decides on the host -*- C++
//-*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Kernels.h"
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

// Devices say what is wrong in the words of the CPU's kernels.

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
  EXPECT_EQ(cuda::describe(error), runUnorderWgrad(wgrad).getMessage());

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
  EXPECT_EQ(cuda::describe(error), runUnorder(unorder).getMessage());

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
            runOrder(order).getMessage());
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
