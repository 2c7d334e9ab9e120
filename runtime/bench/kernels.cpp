// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time of kernels, compared with a bound.

// moert-bench-kernels [BACKEND [SHRINK]] runs one rank in bf16, with all tokens
// and rows divided by SHRINK, and prints `KERNEL SHAPE US BOUND_US RATIO`. US
// is the time per call in a sequence of calls, in microseconds on the device's
// clock, as the median of several repetitions. BOUND_US is the time of one copy
// of the same bytes on the device or, for products, of the same multiplications
// as one product; its measurements alternate with the kernel's. RATIO is
// BOUND_US / US.

#include "Measure.h"
#include "moert.h"
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>

using namespace bench;

static moert_context *context;
static moert_stream *stream;

static void require(moert_status status) {
  if (status == MOERT_OK)
    return;
  std::fprintf(stderr, "moert-bench-kernels: %s\n", moert_last_error(context));
  std::exit(1);
}

namespace {

/// Memory of the device.
struct Buffer {
  moert_buffer *buffer = nullptr;
  size_t bytes;

  explicit Buffer(size_t bytes) : bytes(bytes) {
    require(moert_buffer_create(context, bytes, MOERT_MEMORY_DEVICE, &buffer));
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() { moert_buffer_destroy(buffer); }
  void *get() const { return moert_buffer_data(buffer); }

  template <typename T> void write(const std::vector<T> &values) const {
    require(
        moert_copy(stream, get(), values.data(), values.size() * sizeof(T)));
    require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT));
  }
  /// Fills the buffer with a repeated piece of small bf16 numbers of both
  /// signs.
  void fill() const {
    constexpr size_t kPiece = size_t(1) << 20;
    std::vector<uint16_t> piece(std::min(kPiece, bytes / 2));
    uint32_t state = 1;
    for (uint16_t &value : piece) {
      state = state * 1664525u + 1013904223u;
      float number = (int32_t(state) >> 8) * 0x1p-26f;
      uint32_t bits;
      std::memcpy(&bits, &number, 4);
      value = bits >> 16;
    }
    for (size_t at = 0; at < bytes; at += piece.size() * 2)
      require(moert_copy(stream, static_cast<char *>(get()) + at, piece.data(),
                         std::min(piece.size() * 2, bytes - at)));
    require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT));
  }
};

/// Measures the microseconds per call in `calls` calls, on the device's clock.
class Timer {
public:
  Timer() {
    require(moert_event_create_timed(context, &begin));
    require(moert_event_create_timed(context, &end));
  }
  ~Timer() {
    moert_event_destroy(begin);
    moert_event_destroy(end);
  }
  double take(const std::function<void()> &call, int calls) {
    require(moert_event_record(begin, stream));
    for (int i = 0; i < calls; ++i)
      call();
    require(moert_event_record(end, stream));
    require(moert_event_synchronize(end, MOERT_DEADLINE_DEFAULT));
    double us = 0;
    require(moert_event_elapsed(begin, end, &us));
    return us / calls;
  }

private:
  moert_event *begin = nullptr, *end = nullptr;
};

} // namespace

static double getMedian(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Compares a kernel with its bound in alternating repetitions, because the
/// load of the machine changes.
static void compare(const char *kernel, const std::string &shape,
                    const std::function<void()> &call,
                    const std::function<void()> &bound) {
  Timer timer;
  std::vector<double> times, bounds;
  int calls = 1;
  for (const auto *each : {&call, &bound})
    timer.take(*each, 2);
  calls = std::clamp(static_cast<int>(20e3 / timer.take(call, 1)), 3, 400);
  for (int i = 0; i < 2 * kRepetitions + 1; ++i) {
    times.push_back(timer.take(call, calls));
    bounds.push_back(timer.take(bound, calls));
  }
  double us = getMedian(times), boundUs = getMedian(bounds);
  std::printf("%s %s %.2f %.2f %.3f\n", kernel, shape.c_str(), us, boundUs,
              boundUs / us);
  std::fflush(stdout);
}

/// Compares the order and unorder kernels for S tokens of M elements, with k
/// choices among E experts, with one copy on the device that reads and writes
/// the same bytes.
static void benchOrder(int64_t tokens, int64_t hidden, int64_t topK,
                       int64_t experts) {
  size_t row = hidden * 2, rows = tokens * topK;
  Buffer x(tokens * row), buffer(rows * row), ids(rows * 4), slots(rows * 4),
      weights(rows * 4), result(tokens * row);
  x.fill();
  std::vector<int32_t> chosen(rows);
  uint32_t state = 7;
  for (int64_t t = 0; t < tokens; ++t) {
    state = state * 1664525u + 1013904223u;
    for (int64_t j = 0; j < topK; ++j)
      chosen[t * topK + j] = ((state >> 9) + j * (experts / topK)) % experts;
  }
  ids.write(chosen);
  weights.write(std::vector<float>(rows, 1.0f / topK));
  moert_order_rows_args order{};
  order.size = sizeof(order);
  order.kind = MOERT_ORDER_TOKEN;
  order.tokens = tokens;
  order.hidden = hidden;
  order.top_k = topK;
  order.experts = experts;
  order.x = x.get();
  order.ids = ids.get();
  order.rows = buffer.get();
  order.slots = slots.get();
  order.type = MOERT_BF16;
  order.ids_type = MOERT_I32;
  moert_unorder_args unorder{};
  unorder.size = sizeof(unorder);
  unorder.tokens = tokens;
  unorder.hidden = hidden;
  unorder.top_k = topK;
  unorder.rows = rows;
  unorder.buffer = buffer.get();
  unorder.slots = slots.get();
  unorder.weights = weights.get();
  unorder.result = result.get();
  unorder.type = MOERT_BF16;
  unorder.slots_type = MOERT_I32;
  unorder.weights_type = MOERT_F32;
  // At best, a token of several experts is read from memory once.
  size_t moved = (tokens + rows) * row;
  Buffer from(moved / 2), to(moved / 2);
  from.fill();
  auto copy = [&] {
    require(moert_copy(stream, to.get(), from.get(), moved / 2));
  };
  std::string shape =
      "S=" + std::to_string(tokens) + ",M=" + std::to_string(hidden) +
      ",k=" + std::to_string(topK) + ",E=" + std::to_string(experts);
  compare(
      "order", shape, [&] { require(moert_order_rows(stream, &order)); }, copy);
  compare(
      "unorder", shape, [&] { require(moert_unorder(stream, &unorder)); },
      copy);
}

/// Compares experts with uneven numbers of rows with the same multiplications
/// for one expert: three products of all rows.
static void benchExperts(int64_t rows, int64_t hidden, int64_t ffn,
                         int64_t experts) {
  Buffer x(rows * hidden * 2), result(rows * hidden * 2),
      w1(experts * hidden * ffn * 2), w2(experts * hidden * ffn * 2),
      w3(experts * hidden * ffn * 2);
  for (const Buffer *each : {&x, &w1, &w2, &w3})
    each->fill();
  // Distribute half of the rows evenly, and half in proportion to 1 / (e + 1).
  std::vector<int64_t> offsets(experts), sizes(experts);
  double sum = 0;
  for (int64_t e = 0; e < experts; ++e)
    sum += 1.0 / (e + 1);
  int64_t at = 0;
  for (int64_t e = 0; e < experts; ++e) {
    offsets[e] = at;
    sizes[e] = e + 1 == experts
                   ? rows - at
                   : std::llround(rows * (0.5 / experts + 0.5 / (e + 1) / sum));
    at += sizes[e];
  }
  moert_experts_args uneven{};
  uneven.size = sizeof(uneven);
  uneven.kind = MOERT_EXPERTS_SWIGLU;
  uneven.activation = MOERT_SILU;
  uneven.experts = experts;
  uneven.rows = rows;
  uneven.hidden = hidden;
  uneven.ffn = ffn;
  uneven.x = x.get();
  uneven.w1 = w1.get();
  uneven.w2 = w2.get();
  uneven.w3 = w3.get();
  uneven.result = result.get();
  uneven.type = MOERT_BF16;
  uneven.runs = 1;
  uneven.run_offsets = offsets.data();
  uneven.run_sizes = sizes.data();
  moert_experts_args one = uneven;
  one.experts = 1;
  one.runs = 0;
  one.run_offsets = one.run_sizes = nullptr;
  compare(
      "experts",
      "rows=" + std::to_string(rows) + ",M=" + std::to_string(hidden) +
          ",H=" + std::to_string(ffn) + ",E=" + std::to_string(experts),
      [&] { require(moert_experts(stream, &uneven)); },
      [&] { require(moert_experts(stream, &one)); });
}

/// Compares a gate with one copy of its tokens.
static void benchGate(int64_t tokens, int64_t hidden, int64_t experts,
                      int64_t topK) {
  Buffer x(tokens * hidden * 2), router(hidden * experts * 4),
      ids(tokens * topK * 4), weights(tokens * topK * 4),
      to(tokens * hidden * 2);
  x.fill();
  std::vector<float> numbers(hidden * experts);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>((i * 2654435761u >> 8) & 0xffff) * 1e-5f;
  router.write(numbers);
  moert_gate_args gate{};
  gate.size = sizeof(gate);
  gate.kind = MOERT_GATE_SOFTMAX;
  gate.tokens = tokens;
  gate.hidden = hidden;
  gate.experts = experts;
  gate.top_k = topK;
  gate.top_groups = gate.num_groups = 1;
  gate.normalize = 1;
  gate.scale = 1;
  gate.x = x.get();
  gate.router = router.get();
  gate.ids = ids.get();
  gate.weights = weights.get();
  gate.type = MOERT_BF16;
  gate.router_type = gate.bias_type = gate.weights_type = MOERT_F32;
  gate.ids_type = MOERT_I32;
  gate.noise_type = gate.projection_type = MOERT_F32;
  compare(
      "gate",
      "S=" + std::to_string(tokens) + ",M=" + std::to_string(hidden) +
          ",E=" + std::to_string(experts) + ",k=" + std::to_string(topK),
      [&] { require(moert_gate(stream, &gate)); },
      [&] {
        require(moert_copy(stream, to.get(), x.get(), size_t(tokens) * hidden));
      });
}

int main(int argc, char **argv) {
  moert_config config;
  require(moert_config_default(&config));
  config.backend = argc > 1 ? argv[1] : "nccl";
  config.rank = 0;
  config.world_size = 1;
  config.address = "127.0.0.1:29611";
  int64_t shrink = argc > 2 ? std::atoi(argv[2]) : 1;
  if (argc > 3 || shrink < 1) {
    std::fprintf(stderr, "usage: moert-bench-kernels [BACKEND [SHRINK]]\n");
    return 2;
  }
  require(moert_init(&config, &context));
  require(moert_stream_create(context, "bench", 0, &stream));
  for (int64_t hidden : {4096, 7168}) {
    benchOrder(65536 / shrink, hidden, 1, 8);
    benchOrder(16384 / shrink, hidden, 2, 8);
    benchOrder(8192 / shrink, hidden, 8, 256);
  }
  benchGate(16384 / shrink, 4096, 8, 2);
  benchGate(8192 / shrink, 7168, 256, 8);
  benchExperts(16384 / shrink, 4096, 14336, 8);
  benchExperts(32768 / shrink, 2048, 768, 128);
  benchExperts(32768 / shrink, 7168, 2048, 16);
  require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT));
  require(moert_stream_destroy(stream));
  require(moert_finalize(context, MOERT_DEADLINE_DEFAULT));
  return 0;
}
