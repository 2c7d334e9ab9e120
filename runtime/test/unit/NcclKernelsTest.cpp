//===- NcclKernelsTest.cpp - What kernels of devices refuse -----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NcclSpy.h"
#include "Ranks.h"
#include <cstring>

using namespace moert;
using namespace moert::spy;
using namespace moert::test;

namespace {

class NcclKernelsTest : public Spy {};

/// Only the processor's kernels add biases; a call with some is refused at
/// once, and the stream is as good as before.
TEST_F(NcclKernelsTest, RefuseBiases) {
  runRanks(1, getConfig(), [](moert_context *context) {
    moert_stream *stream = nullptr;
    moert_buffer *buffer = nullptr;
    ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
    ASSERT_EQ(moert_buffer_create(context, 64, MOERT_MEMORY_DEVICE, &buffer),
              MOERT_OK);
    auto *data = static_cast<char *>(moert_buffer_data(buffer));
    auto expectRefused = [&](moert_status status, const char *words) {
      EXPECT_EQ(status, MOERT_UNAVAILABLE);
      EXPECT_NE(std::strstr(moert_last_error(context), words), nullptr)
          << moert_last_error(context);
    };
    moert_experts_args experts = {};
    experts.size = sizeof(experts);
    experts.experts = experts.rows = experts.hidden = experts.ffn = 1;
    experts.x = experts.w1 = experts.w3 = data;
    experts.result = data + 16;
    experts.type = MOERT_F32;
    experts.biased = 1;
    expectRefused(moert_experts(stream, &experts), "experts: biases are added");

    moert_experts_grad_args grad = {};
    grad.size = sizeof(grad);
    grad.experts = grad.rows = grad.hidden = grad.ffn = 1;
    grad.x = grad.w1 = grad.w3 = grad.dy = data;
    grad.dx = grad.dw1 = grad.dw3 = data + 16;
    grad.type = MOERT_F32;
    grad.biased = 1;
    expectRefused(moert_experts_dgrad(stream, &grad), "experts_dgrad: biases");
    expectRefused(moert_experts_wgrad(stream, &grad), "experts_wgrad: biases");

    moert_gate_args gate = {};
    gate.size = sizeof(gate);
    gate.tokens = gate.hidden = gate.experts = gate.top_k = 1;
    gate.top_groups = gate.num_groups = 1;
    gate.scale = 1;
    gate.x = gate.router = data;
    gate.ids = data + 16;
    gate.weights = data + 32;
    gate.type = gate.router_type = gate.weights_type = MOERT_F32;
    gate.ids_type = MOERT_I32;
    gate.biased = 1;
    expectRefused(moert_gate(stream, &gate), "gate: a biased router");

    moert_gate_grad_args ofGate = {};
    ofGate.size = sizeof(ofGate);
    ofGate.tokens = ofGate.hidden = ofGate.experts = ofGate.top_k = 1;
    ofGate.scale = 1;
    ofGate.x = ofGate.router = ofGate.ids = ofGate.dw = data;
    ofGate.dx = data + 16;
    ofGate.drouter = data + 32;
    ofGate.type = ofGate.router_type = ofGate.dw_type = MOERT_F32;
    ofGate.ids_type = MOERT_I32;
    ofGate.biased = 1;
    expectRefused(moert_gate_grad(stream, &ofGate), "gate_grad: a biased");

    EXPECT_EQ(moert_fill_zero(stream, data, 16, MOERT_F32), MOERT_OK)
        << moert_last_error(context);
    EXPECT_EQ(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT),
              MOERT_OK);
  });
}

} // namespace
