// Runs elementwise kernels on the CPU emulation with results and inputs at every
// offset from an address that vector accesses need, and compares all values.

#include "lanes.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int kLength = 1027, kRows = 6, kColumns = 512;

static moert_context *context = nullptr;
static moert_stream *stream = nullptr;

static void require(int status, const char *what) {
  if (status == MOERT_OK)
    return;
  std::fprintf(stderr, "%s: %s\n", what, moert_last_error(context));
  std::exit(1);
}

/// Device memory with some bytes before and after the data.
template <typename T> struct Array {
  static constexpr size_t kMargin = 64;
  Array(std::vector<T> start, size_t shift)
      : values(std::move(start)), shift(shift) {
    require(moert_buffer_create(context, values.size() * sizeof(T) + 2 * kMargin,
                                MOERT_MEMORY_DEVICE, &buffer),
            "moert_buffer_create");
    std::vector<char> whole(moert_buffer_size(buffer), 0x55);
    std::memcpy(whole.data() + kMargin + shift * sizeof(T), values.data(),
                values.size() * sizeof(T));
    copy(moert_buffer_data(buffer), whole.data());
  }
  ~Array() { moert_buffer_destroy(buffer); }
  void *data() const {
    return static_cast<char *>(moert_buffer_data(buffer)) + kMargin +
           shift * sizeof(T);
  }
  /// Reads the data; exits if a byte around them has changed.
  const std::vector<T> &read() {
    std::vector<char> whole(moert_buffer_size(buffer));
    copy(whole.data(), moert_buffer_data(buffer));
    size_t begin = kMargin + shift * sizeof(T),
           end = begin + values.size() * sizeof(T);
    for (size_t i = 0; i < whole.size(); ++i)
      if ((i < begin || i >= end) && whole[i] != 0x55) {
        std::fprintf(stderr, "byte %zu outside of the data was written\n", i);
        std::exit(1);
      }
    std::memcpy(values.data(), whole.data() + begin, end - begin);
    return values;
  }
  void copy(void *to, const void *from) {
    require(moert_copy(stream, to, from, moert_buffer_size(buffer)),
            "moert_copy");
    require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT),
            "moert_stream_synchronize");
  }

  std::vector<T> values;
  size_t shift;
  moert_buffer *buffer = nullptr;
};

int main() {
  moert_config config;
  moert_config_default(&config);
  config.backend = "nccl";
  config.address = "127.0.0.1:29763";
  require(moert_init(&config, &context), "moert_init");
  require(moert_stream_create(context, "own", 0, &stream),
          "moert_stream_create");
  int numWrong = 0, numRuns = 0;
  for (size_t input = 0; input < 4; ++input)
    for (size_t result = 0; result < 4; ++result, ++numRuns) {
      std::vector<float> x(kLength), y(kLength), matrix(kRows * kColumns),
          row(kColumns);
      std::vector<int8_t> bytes(kLength);
      for (int i = 0; i < kLength; ++i) {
        x[i] = float(i);
        y[i] = float(3 * i + 1);
        bytes[i] = int8_t(i);
      }
      for (size_t i = 0; i < matrix.size(); ++i)
        matrix[i] = float(i % 1001);
      for (int i = 0; i < kColumns; ++i)
        row[i] = float(i * i);
      Array<float> xs(x, input), ys(y, 0), matrices(matrix, input),
          rows(row, 0);
      Array<int8_t> small(bytes, input);
      Array<float> sums(std::vector<float>(kLength), result),
          broadcast(std::vector<float>(matrix.size()), result);
      Array<int8_t> doubled(std::vector<int8_t>(kLength), result);
      void *inputs[] = {xs.data(), ys.data(), matrices.data(), rows.data(),
                        small.data()};
      void *results[] = {sums.data(), broadcast.data(), doubled.data()};
      require(moe_main(context, inputs, results), "moe_main");
      const std::vector<float> &added = sums.read(), &all = broadcast.read();
      const std::vector<int8_t> &twice = doubled.read();
      for (int i = 0; i < kLength; ++i)
        numWrong +=
            added[i] != x[i] + y[i] || twice[i] != int8_t(2 * bytes[i]);
      for (size_t i = 0; i < matrix.size(); ++i)
        numWrong += all[i] != matrix[i] * row[i % kColumns];
    }
  require(moert_finalize(context, MOERT_DEADLINE_DEFAULT), "moert_finalize");
  std::printf("%d runs, %d wrong\n", numRuns, numWrong);
  return numWrong != 0;
}
