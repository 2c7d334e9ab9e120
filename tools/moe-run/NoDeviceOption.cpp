// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build without optical switches connects programs to none.

#include "DeviceOption.h"

std::unique_ptr<moe::run::DeviceOption>
moe::run::makeDeviceOption(llvm::cl::OptionCategory &) {
  return nullptr;
}
