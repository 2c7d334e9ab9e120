// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the scratch memory of kernels against moert_scratch.h.

#include "NcclSpy.h"
#include "Ranks.h"
#include "moert_scratch.h"
#include <cstring>
#include <dlfcn.h>

using namespace moert;
using namespace moert::spy;
using namespace moert::test;

namespace {

/// Bytes of zeroed device memory.
constexpr int64_t kMemory = 64 << 20;

/// Kernels on one rank of the emulation, including cuBLAS.
class ScratchTest : public Spy {
protected:
  void SetUp() override {
    ASSERT_NE(dlopen(MOERT_STAND_IN_CUBLAS, RTLD_NOW | RTLD_GLOBAL), nullptr)
        << dlerror();
    Spy::SetUp();
    moert_config config = getConfig();
    config.world_size = 1;
    ASSERT_EQ(moert_init(&config, &context), MOERT_OK)
        << moert_last_error(nullptr);
    ASSERT_EQ(
        moert_buffer_create(context, kMemory, MOERT_MEMORY_DEVICE, &buffer),
        MOERT_OK);
    ASSERT_EQ(moert_stream_create(context, "zeros", 0, &zeros), MOERT_OK);
    clear();
  }
  void TearDown() override {
    EXPECT_EQ(moert_finalize(context, kPatienceUs), MOERT_OK);
    Spy::TearDown();
  }

  /// Zeroes the half of the memory with operands and results.
  void clear() {
    ASSERT_EQ(moert_fill_zero(zeros, moert_buffer_data(buffer), kMemory / 16,
                              MOERT_I64),
              MOERT_OK);
    ASSERT_EQ(moert_stream_synchronize(zeros, kPatienceUs), MOERT_OK);
    used = 0;
  }
  /// Sets a pointer to zeros that no other operand uses.
  template <typename T> void point(T *&member) {
    used += 1 << 20;
    ASSERT_LE(used, kMemory / 2);
    member = reinterpret_cast<T *>(
        static_cast<char *>(moert_buffer_data(buffer)) + used - (1 << 20));
  }

  /// Checks that a kernel takes all its scratch memory from the stated bytes.
  /// With less memory, it must allocate exactly this number of bytes.
  template <typename Args>
  void check(const char *name,
             moert_status (*call)(moert_stream *, const Args *), Args args,
             int64_t stated) {
    SCOPED_TRACE(name);
    args.size = sizeof(args);
    Hook<&cuda::Driver::MemAllocAsync>::answer = [&](cuda::Pointer *pointer,
                                                     size_t bytes,
                                                     cuda::Stream stream) {
      cuda::Result result =
          Hook<&cuda::Driver::MemAllocAsync>::original(pointer, bytes, stream);
      now += allocated[*pointer] = scratch::align(static_cast<int64_t>(bytes));
      most = std::max(most, now);
      return result;
    };
    Hook<&cuda::Driver::MemFreeAsync>::answer = [&](cuda::Pointer pointer,
                                                    cuda::Stream stream) {
      now -= allocated[pointer];
      return Hook<&cuda::Driver::MemFreeAsync>::original(pointer, stream);
    };
    char *memory = static_cast<char *>(moert_buffer_data(buffer)) + kMemory / 2;
    ASSERT_LE(stated, kMemory / 2);
    for (bool isGiven : {true, false}) {
      most = now = 0;
      moert_stream *stream = nullptr;
      ASSERT_EQ(moert_stream_create(context, name, 0, &stream), MOERT_OK);
      if (isGiven) {
        ASSERT_EQ(moert_stream_set_scratch(stream, memory, stated), MOERT_OK);
      }
      ASSERT_EQ(call(stream, &args), MOERT_OK) << moert_last_error(context);
      ASSERT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK)
          << moert_last_error(context);
      EXPECT_EQ(most, isGiven ? 0 : stated);
      ASSERT_EQ(moert_stream_destroy(stream), MOERT_OK);
    }
    clear();
  }

  moert_context *context = nullptr;
  moert_stream *zeros = nullptr;
  moert_buffer *buffer = nullptr;
  int64_t used = 0;
  /// Allocations of the streams, their bytes now and at most. Hooks use them
  /// until all streams are destroyed, also if a check fails before.
  std::map<cuda::Pointer, int64_t> allocated;
  int64_t now = 0, most = 0;
};

} // namespace

#define CHECK(name, args) check(#name, moert_##name, args, scratch::name(args))

TEST_F(ScratchTest, OfAssignments) {
  moert_order_args order = {};
  order.kind = MOERT_ORDER_CHOICE;
  order.tokens = 700;
  order.hidden = 8;
  order.top_k = 1;
  order.experts = 5;
  order.capacity = 140;
  point(order.x);
  point(order.ids);
  point(order.buffer);
  point(order.slots);
  order.type = MOERT_F32;
  order.ids_type = MOERT_I32;
  CHECK(order, order);

  moert_expert_counts_args counts = {};
  counts.parts = 3;
  counts.tokens = 50;
  counts.top_k = 2;
  counts.experts = 9;
  point(counts.ids);
  point(counts.counts);
  counts.ids_type = counts.counts_type = MOERT_I32;
  CHECK(expert_counts, counts);

  moert_order_rows_args rows = {};
  rows.kind = MOERT_ORDER_TOKEN;
  rows.tokens = 65;
  rows.hidden = 3;
  rows.top_k = 4;
  rows.experts = 33;
  point(rows.x);
  point(rows.ids);
  point(rows.rows);
  point(rows.slots);
  rows.type = MOERT_F16;
  rows.ids_type = MOERT_I32;
  CHECK(order_rows, rows);

  moert_limit_choices_args limits = {};
  limits.kind = MOERT_ORDER_TOKEN;
  limits.tokens = 65;
  limits.top_k = 2;
  limits.experts = 8;
  limits.groups = 4;
  point(limits.ids);
  point(limits.limits);
  point(limits.result);
  limits.ids_type = limits.limits_type = MOERT_I32;
  CHECK(limit_choices, limits);

  moert_scatter_args scatter = {};
  scatter.tokens = 1;
  scatter.hidden = 8;
  scatter.top_k = 1;
  scatter.rows = 77;
  point(scatter.x);
  point(scatter.slots);
  point(scatter.buffer);
  scatter.type = MOERT_F32;
  scatter.slots_type = MOERT_I32;
  CHECK(scatter, scatter);
}

TEST_F(ScratchTest, OfExperts) {
  constexpr int64_t kRows = 12, kExperts = 3;
  const int64_t offsets[] = {0, 2, 5, 6, 8, 9}, sizes[] = {2, 3, 1, 2, 1, 3};
  for (moert_experts_kind kind : {MOERT_EXPERTS_GPT, MOERT_EXPERTS_SWIGLU})
    for (int numRuns : {0, 2})
      for (bool keeps : {false, true}) {
        moert_experts_args args = {};
        args.kind = kind;
        args.experts = kExperts;
        args.rows = numRuns ? kRows : kRows / kExperts;
        args.hidden = 20;
        args.ffn = 90;
        point(args.x);
        point(args.w1);
        if (kind != MOERT_EXPERTS_GPT)
          point(args.w2);
        point(args.w3);
        point(args.result);
        if (keeps)
          point(args.kept);
        args.type = MOERT_BF16;
        args.run_offsets = numRuns ? offsets : nullptr;
        args.run_sizes = numRuns ? sizes : nullptr;
        args.runs = numRuns;
        CHECK(experts, args);

        moert_experts_grad_args gradient = {};
        gradient.kind = kind;
        gradient.experts = kExperts;
        gradient.rows = args.rows;
        gradient.hidden = args.hidden;
        gradient.ffn = args.ffn;
        for (const void **member :
             {&gradient.x, &gradient.w1, &gradient.w3, &gradient.dy})
          point(*member);
        for (void **member : {&gradient.dx, &gradient.dw1, &gradient.dw3})
          point(*member);
        if (kind != MOERT_EXPERTS_GPT) {
          point(gradient.w2);
          point(gradient.dw2);
        }
        gradient.type = args.type;
        gradient.run_offsets = args.run_offsets;
        gradient.run_sizes = args.run_sizes;
        gradient.runs = numRuns;
        if (keeps) {
          point(gradient.kept);
          point(gradient.handed);
        }
        moert_experts_grad_args forWeights = gradient;
        forWeights.kept = nullptr;
        CHECK(experts_dgrad, gradient);
        CHECK(experts_wgrad, forWeights);
      }
}

/// Sums of more than 512 elements use cuBLAS, and operands of different types
/// are converted.
TEST_F(ScratchTest, OfGates) {
  for (moert_type type : {MOERT_BF16, MOERT_F32, MOERT_F64})
    for (moert_type router : {MOERT_F32, MOERT_BF16})
      for (const char *form : {"plain", "jitter", "noise", "cosine", "large"}) {
        std::string what = form;
        SCOPED_TRACE(what);
        moert_gate_args args = {};
        args.kind = what == "noise" ? MOERT_GATE_GSHARD : MOERT_GATE_SOFTMAX;
        args.tokens = 20;
        args.hidden = 520;
        args.experts = 6;
        if (what == "large") {
          // More scores than fit in a block's shared memory.
          args.tokens = 2;
          args.experts = 6200;
        }
        args.top_k = what == "noise" ? 2 : 1;
        args.num_groups = args.top_groups = 1;
        args.scale = 1;
        args.type = type;
        args.router_type = router;
        args.ids_type = MOERT_I32;
        args.weights_type = MOERT_F32;
        args.noise_type = args.projection_type = MOERT_BF16;
        point(args.x);
        point(args.router);
        used += 24 << 20;
        point(args.ids);
        point(args.weights);
        point(args.seed);
        if (what == "jitter")
          args.jitter = .1;
        if (what == "noise")
          point(args.noise);
        if (what == "cosine") {
          point(args.projection);
          args.projected = 514;
          args.temperature = 1;
        }
        CHECK(gate, args);
        if (what == "large" || what == "noise")
          continue;
        moert_gate_grad_args gradient = {};
        gradient.kind = args.kind;
        // Products with a projection are large, so only one has long sums over
        // tokens, too.
        bool isLong =
            what != "cosine" || (type == MOERT_BF16 && router == MOERT_F32);
        gradient.tokens = isLong ? 600 : 20;
        gradient.hidden = args.hidden;
        gradient.experts = args.experts;
        gradient.top_k = 1;
        gradient.scale = 1;
        gradient.type = type;
        gradient.router_type = router;
        gradient.ids_type = MOERT_I32;
        gradient.dw_type = MOERT_F32;
        gradient.further_type = args.projection_type;
        gradient.projected = args.projected;
        gradient.temperature = args.temperature;
        gradient.jitter = args.jitter;
        used = 0;
        for (const void **member :
             {&gradient.x, &gradient.router, &gradient.ids, &gradient.dw,
              &gradient.seed}) {
          point(*member);
          used += 2 << 20;
        }
        for (void **member : {&gradient.dx, &gradient.drouter}) {
          point(*member);
          used += 2 << 20;
        }
        if (args.projection) {
          point(gradient.projection);
          point(gradient.dfurther);
        }
        CHECK(gate_grad, gradient);
      }
}

TEST_F(ScratchTest, OfGatesThatMix) {
  moert_expert_choice_args choice = {};
  choice.scores = MOERT_CHOICE_EXPERTS;
  choice.tokens = 40;
  choice.hidden = 520;
  choice.experts = 4;
  choice.capacity = 3;
  point(choice.x);
  point(choice.router);
  point(choice.slots);
  point(choice.weights);
  choice.type = MOERT_BF16;
  choice.router_type = MOERT_F16;
  choice.slots_type = MOERT_I32;
  choice.weights_type = MOERT_F32;
  CHECK(expert_choice, choice);

  moert_expert_choice_grad_args choiceGradient = {};
  choiceGradient.tokens = 600;
  choiceGradient.hidden = 520;
  choiceGradient.experts = 4;
  for (const void **member : {&choiceGradient.x, &choiceGradient.router,
                              &choiceGradient.slots, &choiceGradient.dw})
    point(*member);
  point(choiceGradient.dx);
  point(choiceGradient.drouter);
  choiceGradient.type = MOERT_BF16;
  choiceGradient.router_type = MOERT_F32;
  choiceGradient.slots_type = MOERT_I32;
  choiceGradient.dw_type = MOERT_F32;
  CHECK(expert_choice_grad, choiceGradient);

  moert_soft_gate_args soft = {};
  soft.tokens = 700;
  soft.hidden = 520;
  soft.slots = 6;
  point(soft.x);
  point(soft.router);
  point(soft.dispatch);
  point(soft.combine);
  soft.type = soft.dispatch_type = soft.combine_type = MOERT_BF16;
  soft.router_type = MOERT_F32;
  CHECK(soft_gate, soft);

  moert_soft_gate_grad_args softGradient = {};
  softGradient.tokens = 600;
  softGradient.hidden = 520;
  softGradient.slots = 6;
  for (const void **member : {&softGradient.x, &softGradient.router,
                              &softGradient.ddispatch, &softGradient.dcombine})
    point(*member);
  point(softGradient.dx);
  point(softGradient.drouter);
  softGradient.type = softGradient.ddispatch_type = softGradient.dcombine_type =
      MOERT_F16;
  softGradient.router_type = MOERT_F32;
  CHECK(soft_gate_grad, softGradient);

  moert_soft_mix_args mix = {};
  mix.tokens = 600;
  mix.hidden = 30;
  mix.slots = 530;
  point(mix.x);
  point(mix.weights);
  point(mix.result);
  mix.type = MOERT_BF16;
  mix.weights_type = MOERT_F32;
  CHECK(soft_order, mix);
  CHECK(soft_unorder, mix);

  moert_soft_wgrad_args weights = {};
  weights.tokens = 40;
  weights.hidden = 600;
  weights.slots = 5;
  point(weights.x);
  point(weights.buffer);
  point(weights.result);
  weights.type = MOERT_BF16;
  weights.result_type = MOERT_F16;
  CHECK(soft_wgrad, weights);

  moert_dense_wgrad_args dense = {};
  dense.tokens = 5;
  dense.hidden = 7;
  dense.parameters = 20;
  point(dense.x);
  point(dense.dy);
  point(dense.result);
  dense.type = dense.result_type = MOERT_F16;
  CHECK(dense_wgrad, dense);
}

TEST_F(ScratchTest, IsChecked) {
  moert_stream *stream = nullptr;
  ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
  char *memory = static_cast<char *>(moert_buffer_data(buffer));
  for (auto [bytes, at] : {std::pair<int64_t, char *>(-1, memory),
                           {64, nullptr},
                           {64, memory + 8}})
    EXPECT_EQ(moert_stream_set_scratch(stream, at, bytes),
              MOERT_INVALID_ARGUMENT);
  EXPECT_NE(std::strstr(moert_last_error(context),
                        "expected memory aligned to 64 bytes, got "),
            nullptr)
      << moert_last_error(context);
  // Programs that fail withdraw their memory before the caller reads why.
  EXPECT_EQ(moert_stream_set_scratch(stream, nullptr, 0), MOERT_OK);
  EXPECT_NE(std::strstr(moert_last_error(context), "expected memory aligned"),
            nullptr);
  EXPECT_EQ(moert_stream_set_scratch(nullptr, memory, 64),
            MOERT_INVALID_ARGUMENT);
}
