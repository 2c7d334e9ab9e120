// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The option of moe-run that connects programs to devices.

#ifndef MOE_TOOLS_MOERUN_DEVICEOPTION_H
#define MOE_TOOLS_MOERUN_DEVICEOPTION_H

#include "moe/Execution/Devices.h"
#include "llvm/Support/CommandLine.h"

namespace moe::run {

class DeviceOption {
public:
  virtual ~DeviceOption() = default;

  virtual const llvm::cl::Option &getOption() const = 0;
  /// Connects to the devices that the option names. A conversation with a
  /// device takes at most `deadlineUs` microseconds.
  virtual cost::Result<std::shared_ptr<Devices>>
  read(int64_t deadlineUs) const = 0;
};

/// Adds the option to the category; null in a build without such devices.
std::unique_ptr<DeviceOption>
makeDeviceOption(llvm::cl::OptionCategory &category);

} // namespace moe::run

#endif // MOE_TOOLS_MOERUN_DEVICEOPTION_H
