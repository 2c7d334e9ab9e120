// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optical switches that programs control.

#ifndef MOE_CIRCUITS_SWITCHES_H
#define MOE_CIRCUITS_SWITCHES_H

#include "moe/Execution/Devices.h"
#include "moert_ocs.h"

namespace moe::run {

/// Where a switch is, and how it is spoken to.
struct SwitchOptions {
  std::string name, address;
  moert_ocs_dialect dialect = MOERT_OCS_POLATIS;
  /// Empty for a switch without users.
  std::string user;
  double linkUpUs = 0;
  /// That circuits may be taken down at: these, or all.
  std::vector<int32_t> ports;
  bool allPorts = false;
};

/// Connections to the switches that the programs know by name. Must outlive the
/// jobs they are attached to.
class Switches : public Devices {
public:
  /// `deadlineUs` bounds each conversation with a switch.
  Switches(std::vector<SwitchOptions> options, int64_t deadlineUs)
      : options(std::move(options)), deadlineUs(deadlineUs) {}
  ~Switches() override;
  Switches(const Switches &) = delete;
  Switches &operator=(const Switches &) = delete;

  /// Connects to the switches that `rank` controls in either program, or with
  /// no rank to those of all ranks. Fails, naming the option, when the user
  /// does not say where a program's switch is, or names one that no program
  /// knows, or when one cannot be reached. Regions (`ocs.fabric`) do without: a
  /// warning says which switch cannot be reached.
  std::optional<cost::Failure> open(const Programs &programs,
                                    std::optional<int32_t> rank) override;

  std::optional<cost::Failure> attach(Job &job) const override;

private:
  std::optional<cost::Failure> connect(const SwitchOptions &own, bool isNeeded);

  std::vector<SwitchOptions> options;
  int64_t deadlineUs;
  std::vector<std::pair<std::string, moert_ocs *>> opened;
};

} // namespace moe::run

#endif // MOE_CIRCUITS_SWITCHES_H
