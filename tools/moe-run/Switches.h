//===- Switches.h - Optical switches that programs control ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TOOLS_MOERUN_SWITCHES_H
#define MOE_TOOLS_MOERUN_SWITCHES_H

#include "Programs.h"
#include "moe/Execution/Job.h"

namespace moe::run {

/// One switch of the command line: --ocs=NAME=HOST:PORT[,KEY=VALUE...].
struct SwitchOptions {
  std::string name, address;
  moert_ocs_dialect dialect = MOERT_OCS_POLATIS;
  /// Empty for a switch without users.
  std::string user;
  double linkUpUs = 0;
  /// Empty for all.
  std::vector<int32_t> ports;

  /// Empty when `text` could be read, else what is wrong with it.
  static std::string parse(llvm::StringRef text, SwitchOptions &options);
};

/// Connections to the switches that the programs know by name. Must outlive the
/// jobs they are attached to.
class Switches {
public:
  /// `deadlineUs` bounds each conversation with a switch.
  Switches(std::vector<SwitchOptions> options, int64_t deadlineUs)
      : options(std::move(options)), deadlineUs(deadlineUs) {}
  ~Switches();
  Switches(const Switches &) = delete;
  Switches &operator=(const Switches &) = delete;

  /// Connects to the switches that `rank` controls in either program, or with
  /// no rank to those of all ranks. False when a message says why not: a switch
  /// of a program that the command line does not have, one that no program
  /// knows, or one that cannot be reached.
  bool open(const Programs &programs, std::optional<int32_t> rank,
            llvm::raw_ostream &messages);

  /// Lets the programs of a rank find them.
  std::optional<cost::Failure> attach(Job &job) const;

private:
  bool connect(const SwitchOptions &own, llvm::raw_ostream &messages);

  std::vector<SwitchOptions> options;
  int64_t deadlineUs;
  std::vector<std::pair<std::string, moert_ocs *>> opened;
};

} // namespace moe::run

#endif // MOE_TOOLS_MOERUN_SWITCHES_H
