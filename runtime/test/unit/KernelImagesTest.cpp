// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the selection of a program's kernel image.

#include "NcclSpy.h"
#include "Ranks.h"
#include "moert.h"
#include "moert_cpu_image.h"
#include <cstring>
#include <optional>
#include <set>

using namespace moert;
using namespace moert::spy;
using namespace moert::test;

namespace {

/// An image with one kernel that writes a number.
struct Image {
  moert_cpu_image head;
  moert_cpu_kernel kernel;
};
template <int32_t Number>
const Image kImage = {{MOERT_CPU_IMAGE_MAGIC, 1},
                      {"tell",
                       [](void **arguments, const uint32_t *) {
                         **static_cast<int32_t **>(arguments[0]) = Number;
                       },
                       1}};
template <int32_t Number> moert_cubin makeCubin() {
  return {Number, 0, &kImage<Number>, sizeof(Image)};
}
constexpr int32_t kText = 7;

class KernelImagesTest : public Spy {
protected:
  /// Returns the number of the image that devices of this capability run. On
  /// failure, returns nullopt and sets `words`. The driver rejects the images
  /// in `refused`.
  std::optional<int32_t> launch(int capability,
                                const std::vector<moert_cubin> &cubins,
                                const std::set<const void *> &refused = {}) {
    Hook<&cuda::Driver::DeviceGetAttribute>::answer =
        [=](int *value, int attribute, cuda::Device) {
          *value = attribute == 75 ? capability / 10 : capability % 10;
          return cuda::kSuccess;
        };
    Hook<&cuda::Driver::ModuleLoadData>::answer = [=](cuda::Module *module,
                                                      const void *image) {
      return refused.count(image)
                 ? 209
                 : Hook<&cuda::Driver::ModuleLoadData>::original(module, image);
    };
    std::optional<int32_t> number;
    runRanks(1, getConfig(), [&](moert_context *context) {
      moert_kernel_args kernel = {};
      kernel.size = sizeof(kernel);
      kernel.name = "tell";
      kernel.image = &kImage<kText>;
      kernel.image_bytes = sizeof(Image);
      kernel.cubins = cubins.data();
      kernel.num_cubins = static_cast<int64_t>(cubins.size());
      std::fill_n(kernel.grid, 3, 1);
      std::fill_n(kernel.block, 3, 1);
      moert_stream *stream = nullptr;
      moert_buffer *buffer = nullptr;
      ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
      ASSERT_EQ(moert_buffer_create(context, 4, MOERT_MEMORY_DEVICE, &buffer),
                MOERT_OK);
      void *data = moert_buffer_data(buffer);
      void *arguments[] = {&data};
      kernel.arguments = arguments;
      kernel.num_arguments = 1;
      moert_status status = moert_launch_kernel(stream, &kernel);
      if (status != MOERT_OK) {
        EXPECT_EQ(status, MOERT_UNAVAILABLE);
        words = moert_last_error(context);
        return;
      }
      number = -1;
      EXPECT_EQ(moert_copy(stream, &*number, data, 4), MOERT_OK);
      EXPECT_EQ(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT),
                MOERT_OK);
    });
    return number;
  }

  std::string words;
};

TEST_F(KernelImagesTest, TakesTheLatestCubinThatFits) {
  std::vector<moert_cubin> cubins = {makeCubin<100>(), makeCubin<80>(),
                                     makeCubin<86>(), makeCubin<90>()};
  EXPECT_EQ(launch(80, cubins), 80);
  EXPECT_EQ(launch(86, cubins), 86);
  EXPECT_EQ(launch(89, cubins), 86);
  EXPECT_EQ(launch(90, cubins), 90);
  EXPECT_EQ(launch(103, cubins), 100);
  // Machine code only runs on devices of its generation that are not older.
  EXPECT_EQ(launch(75, cubins), kText);
  EXPECT_EQ(launch(120, cubins), kText);
  EXPECT_EQ(launch(90, {}), kText);
}

TEST_F(KernelImagesTest, TakesPtxWhereTheDriverRefusesACubin) {
  EXPECT_EQ(launch(90, {makeCubin<90>()}, {&kImage<90>}), kText);
}

TEST_F(KernelImagesTest, SaysThatNoneFits) {
  std::vector<moert_cubin> cubins = {makeCubin<80>(), makeCubin<90>(),
                                     makeCubin<100>()};
  EXPECT_EQ(launch(75, cubins, {&kImage<kText>}), std::nullopt);
  EXPECT_NE(words.find("kernel 'tell': none of its cubins, for 8.0, 9.0 and "
                       "10.0, fits a device of compute capability 7.5, and its "
                       "image of 40 bytes cannot be loaded: CUDA error 209"),
            std::string::npos)
      << words;
  EXPECT_EQ(launch(90, cubins, {&kImage<90>, &kImage<kText>}), std::nullopt);
  EXPECT_NE(
      words.find("kernel 'tell': its cubin for 9.0 cannot be loaded: CUDA "
                 "error 209 (CUDA_ERROR_NO_BINARY_FOR_GPU); and its image of "
                 "40 bytes cannot be loaded: CUDA error 209"),
      std::string::npos)
      << words;
}

} // namespace
