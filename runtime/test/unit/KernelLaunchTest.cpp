// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests launches of a program's own kernels.

#include "moert.h"
#include <cstring>
#include <functional>
#include <gtest/gtest.h>

namespace {

class KernelLaunchTest : public ::testing::Test {
protected:
  void SetUp() override {
    moert_config config;
    moert_config_default(&config);
    config.address = "kernel launch test";
    ASSERT_EQ(moert_init(&config, &context), MOERT_OK)
        << moert_last_error(nullptr);
    ASSERT_EQ(moert_stream_create(context, "one", 0, &stream), MOERT_OK);
  }
  void TearDown() override {
    if (context) {
      EXPECT_EQ(moert_finalize(context, 5000000), MOERT_OK);
    }
  }
  moert_kernel_args makeKernel() {
    moert_kernel_args kernel = {};
    kernel.size = sizeof(kernel);
    kernel.name = "add";
    kernel.image = "ptx";
    kernel.image_bytes = 4;
    for (int d = 0; d < 3; ++d)
      kernel.grid[d] = kernel.block[d] = 1;
    return kernel;
  }
  void expectError(moert_status status, const char *part) {
    EXPECT_EQ(status, MOERT_INVALID_ARGUMENT);
    EXPECT_NE(std::strstr(moert_last_error(context), part), nullptr)
        << "expected '" << part << "' in: " << moert_last_error(context);
  }

  moert_context *context = nullptr;
  moert_stream *stream = nullptr;
};

TEST_F(KernelLaunchTest, RefusesKernelsOfDevices) {
  moert_kernel_args kernel = makeKernel();
  EXPECT_EQ(moert_launch_kernel(stream, &kernel), MOERT_UNAVAILABLE);
  EXPECT_NE(std::strstr(moert_last_error(context), "'add'"), nullptr)
      << moert_last_error(context);
}

TEST_F(KernelLaunchTest, ChecksLaunchesOfKernels) {
  auto expect = [&](const char *part,
                    const std::function<void(moert_kernel_args &)> &change) {
    moert_kernel_args kernel = makeKernel();
    change(kernel);
    expectError(moert_launch_kernel(stream, &kernel), part);
  };
  expectError(moert_launch_kernel(nullptr, nullptr), "expected a stream");
  expectError(moert_launch_kernel(stream, nullptr), "expected arguments");
  expect("expected a moert_kernel_args of", [](auto &k) { k.size = 96; });
  expect("expected a kernel's name", [](auto &k) { k.name = nullptr; });
  expect("expected a kernel's name", [](auto &k) { k.name = ""; });
  expect("expected a kernel's image", [](auto &k) { k.image = nullptr; });
  expect("kernel 'add': expected an image of kernels of at least 1 byte, got 0",
         [](auto &k) { k.image_bytes = 0; });
  expect("kernel 'add': expected a number of cubins in [0, 64], got 65",
         [](auto &k) { k.num_cubins = 65; });
  expect("kernel 'add': expected the cubins, got NULL",
         [](auto &k) { k.num_cubins = 1; });
  const moert_cubin cubins[] = {{80, 0, "code", 4}, {9, 0, "code", 4}};
  expect("kernel 'add': cubin 1: expected an architecture of at least 10, a "
         "pointer and at least 1 byte, got 9,",
         [&](auto &k) { k.cubins = cubins, k.num_cubins = 2; });
  expect("expected grid[0] in [1, 2147483647], got 2147483648",
         [](auto &k) { k.grid[0] = int64_t(1) << 31; });
  expect("expected grid[1] in [1, 65535], got 0",
         [](auto &k) { k.grid[1] = 0; });
  expect("expected grid[2] in [1, 65535], got 65536",
         [](auto &k) { k.grid[2] = 65536; });
  expect("expected block[0] in [1, 1024], got -1",
         [](auto &k) { k.block[0] = -1; });
  expect("expected block[2] in [1, 64], got 65",
         [](auto &k) { k.block[2] = 65; });
  expect("expected threads of a block in [1, 1024], got 2048",
         [](auto &k) { k.block[0] = 1024, k.block[1] = 2; });
  expect("expected shared bytes in [0, 49152], got 49153",
         [](auto &k) { k.shared_bytes = 49153; });
  expect("expected a number of arguments in [0, 512], got 513",
         [](auto &k) { k.num_arguments = 513; });
  expect("expected a pointer to the arguments, got NULL",
         [](auto &k) { k.num_arguments = 1; });
  void *none = nullptr;
  expect("expected a pointer to the value of argument 0, got NULL",
         [&](auto &k) { k.num_arguments = 1, k.arguments = &none; });
}

} // namespace
