// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optical switches that programs control.

#ifndef MOE_CIRCUITS_SWITCHES_H
#define MOE_CIRCUITS_SWITCHES_H

#include "moe/Execution/Devices.h"
#include "moert_ocs.h"

namespace moe::run {

/// Address and settings of a switch.
struct SwitchOptions {
  std::string name, address;
  moert_ocs_dialect dialect = MOERT_OCS_POLATIS;
  /// Empty for a switch without users.
  std::string user;
  double linkUpUs = 0;
  /// Ports where circuits may be removed: these, or all.
  std::vector<int32_t> ports;
  bool allPorts = false;
};

/// Connections to the switches that programs refer to by name. Must outlive the
/// jobs that use them.
class Switches : public Devices {
public:
  /// `deadlineUs` limits each exchange of messages with a switch.
  Switches(std::vector<SwitchOptions> options, int64_t deadlineUs)
      : options(std::move(options)), deadlineUs(deadlineUs) {}
  ~Switches() override;
  Switches(const Switches &) = delete;
  Switches &operator=(const Switches &) = delete;

  /// Connects to the switches that `rank` controls in either program, or, if
  /// not given, that any rank controls. Fails if the user does not give the
  /// address of a program's switch, gives a switch that no program uses, or if
  /// a switch cannot be reached; the failure names the option. Regions
  /// (`ocs.fabric`) do not need their switch: a warning names a switch that
  /// cannot be reached.
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
