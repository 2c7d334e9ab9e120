// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests grouped products on a device of capability 9.0.

#include "NcclSpy.h"
#include "Ranks.h"
#include "core/Backend.h"
#include "core/Types.h"
#include "moert_scratch.h"
#include <cmath>
#include <cstring>
#include <dlfcn.h>

using namespace moert;
using namespace moert::spy;
using namespace moert::test;

namespace {

constexpr int64_t kExperts = 5, kRows = 700, kHidden = 72, kFfn = 264;
/// One run per expert; the largest has several tiles, and one has no rows.
constexpr int64_t kOffsets[] = {0, 130, 130, 131, 500};
constexpr int64_t kSizes[] = {130, 0, 1, 369, 150};
constexpr size_t kBuffer = 16 << 20;

/// A buffer with bf16 numbers that are small fractions, so that f32 sums are
/// exact and every order of sums gives the same bits.
class BFloats {
public:
  BFloats(moert_context *context, int64_t count, unsigned seed = 0)
      : count(count) {
    EXPECT_EQ(moert_stream_get(context, "copies", 0, &stream), MOERT_OK);
    EXPECT_EQ(
        moert_buffer_create(context, 2 * count, MOERT_MEMORY_DEVICE, &buffer),
        MOERT_OK);
    values.resize(count);
    for (int64_t i = 0; i < count; ++i)
      values[i] =
          seed ? static_cast<float>((i * 7919 + seed * 31) % 17 - 8) / 8 : 0;
    std::vector<BFloat> bits(count);
    for (int64_t i = 0; i < count; ++i)
      bits[i] = toBFloat(values[i]);
    copy(get(), bits.data());
  }
  void *get() const { return moert_buffer_data(buffer); }
  std::vector<float> read() {
    std::vector<BFloat> bits(count);
    copy(bits.data(), get());
    std::vector<float> got;
    for (BFloat value : bits)
      got.push_back(toFloat(value));
    return got;
  }
  std::vector<float> values;

private:
  void copy(void *to, const void *from) {
    EXPECT_EQ(moert_copy(stream, to, from, 2 * count), MOERT_OK);
    EXPECT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK);
  }
  int64_t count;
  moert_stream *stream = nullptr;
  moert_buffer *buffer = nullptr;
};

/// Notes the kernels that are launched.
class GroupedTest : public Spy {
protected:
  void SetUp() override {
    ASSERT_NE(dlopen(MOERT_STAND_IN_CUBLAS, RTLD_NOW | RTLD_GLOBAL), nullptr)
        << dlerror();
    Spy::SetUp();
    setenv("MOERT_STAND_IN_CAPABILITY", "90", 1);
    Hook<&cuda::Driver::ModuleGetFunction>::answer =
        [&](cuda::Function *function, cuda::Module module, const char *name) {
          auto result = Hook<&cuda::Driver::ModuleGetFunction>::original(
              function, module, name);
          names[*function] = name;
          return result;
        };
    Hook<&cuda::Driver::LaunchKernel>::answer =
        [&](cuda::Function function, unsigned x, unsigned y, unsigned z,
            unsigned bx, unsigned by, unsigned bz, unsigned shared,
            cuda::Stream stream, void **parameters, void **extra) {
          ++launches[names[function]];
          return Hook<&cuda::Driver::LaunchKernel>::original(
              function, x, y, z, bx, by, bz, shared, stream, parameters, extra);
        };
  }
  void TearDown() override {
    unsetenv("MOERT_STAND_IN_CAPABILITY");
    Spy::TearDown();
  }
  moert_config getConfig() {
    moert_config config = Spy::getConfig();
    config.world_size = 1;
    return config;
  }
  std::map<cuda::Function, std::string> names;
  std::map<std::string, int> launches;
};

template <typename Args> Args getExpertArgs() {
  Args args = {};
  args.size = sizeof(args);
  args.kind = MOERT_EXPERTS_GPT;
  args.activation = MOERT_RELU;
  args.experts = kExperts;
  args.rows = kRows;
  args.hidden = kHidden;
  args.ffn = kFfn;
  args.type = MOERT_BF16;
  args.run_offsets = kOffsets;
  args.run_sizes = kSizes;
  args.runs = 1;
  return args;
}

} // namespace

/// A stream that is captured computes all experts in one launch per product.
/// The call does not wait, and the graph computes what eager calls compute.
TEST_F(GroupedTest, ComputesExpertsInACapture) {
  runRanks(1, getConfig(), [&](moert_context *context) {
    BFloats x(context, kRows * kHidden, 1),
        w1(context, kExperts * kHidden * kFfn, 2),
        w3(context, kExperts * kFfn * kHidden, 3), y(context, kRows * kHidden);
    moert_stream *stream = nullptr;
    moert_buffer *memory = nullptr;
    ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
    ASSERT_EQ(
        moert_buffer_create(context, kBuffer, MOERT_MEMORY_DEVICE, &memory),
        MOERT_OK);
    auto args = getExpertArgs<moert_experts_args>();
    args.x = x.get();
    args.w1 = w1.get();
    args.w3 = w3.get();
    args.result = y.get();
    // A captured stream allocates no more memory.
    ASSERT_EQ(moert_stream_set_scratch(stream, moert_buffer_data(memory),
                                       scratch::experts(args)),
              MOERT_OK);
    ASSERT_TRUE(stream->beginCapture().ok());
    {
      Counting counting;
      EXPECT_EQ(moert_experts(stream, &args), MOERT_OK)
          << moert_last_error(context);
    }
    std::unique_ptr<Graph> graph;
    ASSERT_TRUE(stream->endCapture(graph).ok());
    std::map<std::string, int> calls = Calls::get().take();
    for (const char *waits : {"cuStreamQuery", "cuEventQuery", "cuEventRecord",
                              "cuMemcpyAsync", "cuMemAllocAsync", "cuMemAlloc"})
      EXPECT_EQ(calls[waits], 0) << waits;
    EXPECT_EQ(launches["moert_grouped_rows_bf16"], 2);
    EXPECT_EQ(calls["cuLaunchKernel"], 2 * 2 + 1);

    ASSERT_TRUE(graph->launch(*stream).ok());
    ASSERT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK)
        << moert_last_error(context);
    std::vector<float> got = y.read();
    for (int64_t e = 0; e < kExperts; ++e)
      for (int64_t row = kOffsets[e]; row < kOffsets[e] + kSizes[e]; ++row) {
        std::vector<float> gated(kFfn);
        for (int64_t h = 0; h < kFfn; ++h) {
          float sum = 0;
          for (int64_t m = 0; m < kHidden; ++m)
            sum += x.values[row * kHidden + m] *
                   w1.values[(e * kHidden + m) * kFfn + h];
          gated[h] = toFloat(toBFloat(std::max(toFloat(toBFloat(sum)), 0.0f)));
        }
        for (int64_t m = 0; m < kHidden; ++m) {
          float sum = 0;
          for (int64_t h = 0; h < kFfn; ++h)
            sum += gated[h] * w3.values[(e * kFfn + h) * kHidden + m];
          ASSERT_EQ(got[row * kHidden + m], toFloat(toBFloat(sum)))
              << "expert " << e << ", row " << row << ", column " << m;
        }
      }
    // Rows outside of all runs keep their values.
    for (int64_t i = (kOffsets[4] + kSizes[4]) * kHidden; i < kRows * kHidden;
         ++i)
      ASSERT_EQ(got[i], 0);
  });
}

/// All products of a training step are grouped: two for the tokens' gradient
/// after two that recompute, and two for the weights' gradients.
TEST_F(GroupedTest, ComputesGradients) {
  runRanks(1, getConfig(), [&](moert_context *context) {
    BFloats x(context, kRows * kHidden, 1),
        w1(context, kExperts * kHidden * kFfn, 2),
        w3(context, kExperts * kFfn * kHidden, 3),
        dy(context, kRows * kHidden, 4), dx(context, kRows * kHidden),
        dw1(context, kExperts * kHidden * kFfn),
        dw3(context, kExperts * kFfn * kHidden),
        handed(context, 2 * kRows * kFfn);
    moert_stream *stream = nullptr;
    ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
    auto args = getExpertArgs<moert_experts_grad_args>();
    args.x = x.get();
    args.w1 = w1.get();
    args.w3 = w3.get();
    args.dy = dy.get();
    args.dx = dx.get();
    args.dw1 = dw1.get();
    args.dw3 = dw3.get();
    args.handed = handed.get();
    ASSERT_EQ(moert_experts_dgrad(stream, &args), MOERT_OK)
        << moert_last_error(context);
    EXPECT_EQ(launches["moert_grouped_rows_bf16"], 1);
    EXPECT_EQ(launches["moert_grouped_turned_bf16"], 2);
    ASSERT_EQ(moert_experts_wgrad(stream, &args), MOERT_OK)
        << moert_last_error(context);
    EXPECT_EQ(launches["moert_grouped_columns_bf16"], 2);
    ASSERT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK)
        << moert_last_error(context);
    std::vector<float> parts = handed.read(), got = dw1.read();
    // Gradients of weights of an expert without rows are zeros.
    for (int64_t e = 0; e < kExperts; ++e)
      for (int64_t m = 0; m < kHidden; m += 5)
        for (int64_t h = 0; h < kFfn; h += 7) {
          float sum = 0;
          for (int64_t row = kOffsets[e]; row < kOffsets[e] + kSizes[e]; ++row)
            sum +=
                x.values[row * kHidden + m] * parts[(kRows + row) * kFfn + h];
          float own = got[(e * kHidden + m) * kFfn + h];
          ASSERT_NEAR(own, sum, std::abs(sum) / 128 + 1e-3)
              << "expert " << e << ", " << m << ", " << h;
        }
  });
}

/// Counts of rows that are computed on the device: no call waits for them, and
/// a graph uses the counts of each launch.
TEST_F(GroupedTest, ReadsCountsOnTheDevice) {
  runRanks(1, getConfig(), [&](moert_context *context) {
    BFloats x(context, kRows * kHidden, 1),
        w1(context, kExperts * kHidden * kFfn, 2),
        w3(context, kExperts * kFfn * kHidden, 3), y(context, kRows * kHidden),
        expected(context, kRows * kHidden), dx(context, kRows * kHidden),
        dw1(context, kExperts * kHidden * kFfn),
        dw3(context, kExperts * kFfn * kHidden);
    moert_stream *stream = nullptr;
    moert_buffer *memory = nullptr, *counts = nullptr;
    ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
    ASSERT_EQ(
        moert_buffer_create(context, kBuffer, MOERT_MEMORY_DEVICE, &memory),
        MOERT_OK);
    ASSERT_EQ(moert_buffer_create(context, 4 * kExperts, MOERT_MEMORY_DEVICE,
                                  &counts),
              MOERT_OK);
    auto args = getExpertArgs<moert_experts_args>();
    args.run_offsets = args.run_sizes = nullptr;
    args.row_counts = moert_buffer_data(counts);
    args.row_counts_type = MOERT_I32;
    args.x = x.get();
    args.w1 = w1.get();
    args.w3 = w3.get();
    args.result = y.get();
    auto gradients = getExpertArgs<moert_experts_grad_args>();
    gradients.run_offsets = gradients.run_sizes = nullptr;
    gradients.row_counts = args.row_counts;
    gradients.row_counts_type = MOERT_I32;
    gradients.x = gradients.dy = x.get();
    gradients.w1 = w1.get();
    gradients.w3 = w3.get();
    gradients.dx = dx.get();
    gradients.dw1 = dw1.get();
    gradients.dw3 = dw3.get();
    // A captured stream allocates no more memory.
    ASSERT_EQ(
        moert_stream_set_scratch(
            stream, moert_buffer_data(memory),
            std::max({scratch::experts(args), scratch::experts_dgrad(gradients),
                      scratch::experts_wgrad(gradients)})),
        MOERT_OK);
    ASSERT_TRUE(stream->beginCapture().ok());
    {
      Counting counting;
      EXPECT_EQ(moert_experts(stream, &args), MOERT_OK)
          << moert_last_error(context);
      EXPECT_EQ(moert_experts_dgrad(stream, &gradients), MOERT_OK)
          << moert_last_error(context);
      EXPECT_EQ(moert_experts_wgrad(stream, &gradients), MOERT_OK)
          << moert_last_error(context);
    }
    std::unique_ptr<Graph> graph;
    ASSERT_TRUE(stream->endCapture(graph).ok());
    std::map<std::string, int> calls = Calls::get().take();
    for (const char *waits : {"cuStreamQuery", "cuEventQuery", "cuEventRecord",
                              "cuMemcpyAsync", "cuMemAllocAsync", "cuMemAlloc"})
      EXPECT_EQ(calls[waits], 0) << waits;
    EXPECT_EQ(launches["moert_count_groups"], 3);
    EXPECT_EQ(launches["moert_grouped_rows_bf16"], 2 + 1 + 1);
    EXPECT_EQ(launches["moert_grouped_turned_bf16"], 2 + 1);
    EXPECT_EQ(launches["moert_grouped_columns_bf16"], 2);

    const int32_t routings[][kExperts] = {
        {130, 0, 1, 369, 150}, {0, 0, 700, 0, 0}, {0, 0, 0, 0, 0}};
    for (const auto &own : routings) {
      ASSERT_EQ(moert_copy(stream, moert_buffer_data(counts), own, sizeof(own)),
                MOERT_OK);
      ASSERT_TRUE(graph->launch(*stream).ok());
      ASSERT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK)
          << moert_last_error(context);
      std::vector<int64_t> offsets, sizes(own, own + kExperts);
      for (int64_t e = 0, end = 0; e < kExperts; end += sizes[e++])
        offsets.push_back(end);
      auto known = args;
      known.row_counts = nullptr;
      known.run_offsets = offsets.data();
      known.run_sizes = sizes.data();
      known.result = expected.get();
      std::vector<float> got = y.read();
      ASSERT_EQ(moert_experts(stream, &known), MOERT_OK);
      ASSERT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK);
      // Rows without an expert keep the values of earlier launches.
      int64_t end = (offsets.back() + sizes.back()) * kHidden;
      std::vector<float> wanted = expected.read();
      EXPECT_TRUE(std::equal(got.begin(), got.begin() + end, wanted.begin()));
    }
    // No expert has rows in the last launch.
    for (float gradient : dw1.read())
      ASSERT_EQ(gradient, 0);
    for (float gradient : dw3.read())
      ASSERT_EQ(gradient, 0);
  });
}

namespace {
/// Experts with the numbers of their rows in device memory.
struct CountedExperts {
  CountedExperts(moert_context *context, const int64_t (&own)[kExperts])
      : x(context, kRows * kHidden, 1),
        w1(context, kExperts * kHidden * kFfn, 2),
        w3(context, kExperts * kFfn * kHidden, 3),
        result(context, kRows * kHidden) {
    std::copy(std::begin(own), std::end(own), sizes);
    EXPECT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
    moert_buffer *counts = nullptr;
    EXPECT_EQ(moert_buffer_create(context, sizeof(sizes), MOERT_MEMORY_DEVICE,
                                  &counts),
              MOERT_OK);
    EXPECT_EQ(
        moert_copy(stream, moert_buffer_data(counts), sizes, sizeof(sizes)),
        MOERT_OK);
    args.run_offsets = args.run_sizes = nullptr;
    args.row_counts = moert_buffer_data(counts);
    args.row_counts_type = MOERT_I64;
    args.x = x.get();
    args.w1 = w1.get();
    args.w3 = w3.get();
    args.result = result.get();
    EXPECT_EQ(moert_experts(stream, &args), MOERT_OK)
        << moert_last_error(context);
  }

  BFloats x, w1, w3, result;
  /// The copy to the device may read it after the constructor has returned.
  int64_t sizes[kExperts];
  moert_stream *stream = nullptr;
  moert_experts_args args = getExpertArgs<moert_experts_args>();
};
} // namespace

/// Devices without the kernels let the host read the counts, which is not
/// possible during a capture.
TEST_F(GroupedTest, WaitsForCountsElsewhere) {
  setenv("MOERT_STAND_IN_CAPABILITY", "80", 1);
  runRanks(1, getConfig(), [&](moert_context *context) {
    CountedExperts experts(context, kSizes);
    moert_stream *stream = experts.stream;
    ASSERT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK);
    ASSERT_TRUE(stream->beginCapture().ok());
    EXPECT_EQ(moert_experts(stream, &experts.args), MOERT_UNAVAILABLE);
    EXPECT_NE(std::strstr(moert_last_error(context),
                          "expected stream 's' not to be captured, because "
                          "row_counts must be read here"),
              nullptr)
        << moert_last_error(context);
    std::unique_ptr<Graph> graph;
    ASSERT_TRUE(stream->endCapture(graph).ok());
    // Both kinds of rows are one too many.
    experts.args.run_offsets = kOffsets;
    EXPECT_EQ(moert_experts(stream, &experts.args), MOERT_INVALID_ARGUMENT);
    EXPECT_NE(std::strstr(moert_last_error(context),
                          "expected runs or counts of rows, got both"),
              nullptr)
        << moert_last_error(context);
  });
}

/// The first call with unknown counts waits and notes them for the later ones,
/// which can then be captured.
TEST_F(GroupedTest, WaitsForKnownCountsOnce) {
  setenv("MOERT_STAND_IN_CAPABILITY", "80", 1);
  runRanks(1, getConfig(), [&](moert_context *context) {
    CountedExperts experts(context, kSizes);
    moert_stream *stream = experts.stream;
    ASSERT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK);
    std::vector<float> expected = experts.result.read();
    auto countWaits = [&] {
      moert_counts counts = {};
      counts.size = sizeof(counts);
      EXPECT_EQ(moert_context_counts(context, &counts), MOERT_OK);
      return counts.host_waits;
    };
    BFloats dx(context, kRows * kHidden),
        dw1(context, kExperts * kHidden * kFfn),
        dw3(context, kExperts * kFfn * kHidden),
        result(context, kRows * kHidden);
    int64_t known[kExperts] = {-1, 7, 7, 7, 7};
    experts.args.known_counts = known;
    experts.args.result = result.get();
    auto gradients = getExpertArgs<moert_experts_grad_args>();
    gradients.run_offsets = gradients.run_sizes = nullptr;
    gradients.row_counts = experts.args.row_counts;
    gradients.row_counts_type = MOERT_I64;
    gradients.known_counts = known;
    gradients.x = gradients.dy = experts.x.get();
    gradients.w1 = experts.w1.get();
    gradients.w3 = experts.w3.get();
    gradients.dx = dx.get();
    gradients.dw1 = dw1.get();
    gradients.dw3 = dw3.get();
    int64_t before = countWaits();
    EXPECT_EQ(moert_experts(stream, &experts.args), MOERT_OK)
        << moert_last_error(context);
    EXPECT_EQ(countWaits(), before + 1);
    EXPECT_TRUE(std::equal(known, known + kExperts, kSizes));
    EXPECT_EQ(moert_experts_dgrad(stream, &gradients), MOERT_OK);
    EXPECT_EQ(moert_experts_wgrad(stream, &gradients), MOERT_OK)
        << moert_last_error(context);
    EXPECT_EQ(countWaits(), before + 1);
    ASSERT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK);
    EXPECT_EQ(result.read(), expected);
    ASSERT_TRUE(stream->beginCapture().ok());
    EXPECT_EQ(moert_experts(stream, &experts.args), MOERT_OK)
        << moert_last_error(context);
    std::unique_ptr<Graph> graph;
    EXPECT_TRUE(stream->endCapture(graph).ok());
  });
}

/// Counts are data, so a wrong one ends the job.
TEST_F(GroupedTest, ReportsWrongCounts) {
  runRanks(
      1, getConfig(),
      [&](moert_context *context) {
        CountedExperts experts(context, {100, 3, 598, 1, INT64_MAX});
        EXPECT_EQ(moert_stream_synchronize(experts.stream, kPatienceUs),
                  MOERT_INVALID_ARGUMENT);
        EXPECT_NE(std::strstr(moert_last_error(context),
                              "experts: expected counts of at least 0 and at "
                              "most 700 rows in total, got 598 rows of expert "
                              "2 after 103"),
                  nullptr)
            << moert_last_error(context);
      },
      /*isWell=*/false);
}

/// Products leave SMs to collectives: persistent kernels have fewer blocks.
TEST_F(GroupedTest, LeavesSms) {
  runRanks(1, getConfig(), [&](moert_context *context) {
    constexpr int64_t kWide = 132 * 256;
    BFloats x(context, kRows * 8, 1), w1(context, kExperts * 8 * kWide, 2),
        w3(context, kExperts * kWide * 8, 3), y(context, kRows * 8);
    moert_stream *stream = nullptr;
    ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
    ASSERT_EQ(moert_stream_leave_sms(stream, 32), MOERT_OK)
        << moert_last_error(context);
    auto args = getExpertArgs<moert_experts_args>();
    args.hidden = 8;
    args.ffn = kWide;
    args.x = x.get();
    args.w1 = w1.get();
    args.w3 = w3.get();
    args.result = y.get();
    unsigned grid = 0;
    auto launch = Hook<&cuda::Driver::LaunchKernel>::answer.get();
    Hook<&cuda::Driver::LaunchKernel>::answer =
        [&](cuda::Function function, unsigned x, unsigned, unsigned, unsigned,
            unsigned, unsigned, unsigned, cuda::Stream, void **, void **) {
          if (names[function] == "moert_grouped_rows_bf16")
            grid = std::max(grid, x);
          return cuda::kSuccess;
        };
    ASSERT_EQ(moert_experts(stream, &args), MOERT_OK)
        << moert_last_error(context);
    Hook<&cuda::Driver::LaunchKernel>::answer = *launch;
    EXPECT_EQ(grid, 132u - 32u);
  });
}

/// Other sizes, types and devices use cuBLAS.
TEST_F(GroupedTest, LeavesOtherProductsToBlas) {
  for (int variant = 0; variant < 3; ++variant) {
    if (variant == 2)
      setenv("MOERT_STAND_IN_CAPABILITY", "100", 1);
    launches.clear();
    runRanks(1, getConfig(), [&](moert_context *context) {
      BFloats x(context, 4 * kRows * kHidden, 1),
          w1(context, 2 * kExperts * kHidden * kFfn, 2),
          w3(context, 2 * kExperts * kFfn * kHidden, 3),
          y(context, 4 * kRows * kHidden);
      moert_stream *stream = nullptr;
      ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
      auto args = getExpertArgs<moert_experts_args>();
      // Lines that are no whole 16 bytes, and f32.
      args.hidden = variant == 0 ? kHidden - 1 : kHidden;
      args.type = variant == 1 ? MOERT_F32 : MOERT_BF16;
      args.x = x.get();
      args.w1 = w1.get();
      args.w3 = w3.get();
      args.result = y.get();
      EXPECT_EQ(moert_experts(stream, &args), MOERT_OK)
          << moert_last_error(context);
      EXPECT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK);
    });
    for (const auto &[name, count] : launches)
      EXPECT_EQ(name.find("moert_grouped"), std::string::npos) << name;
  }
}
