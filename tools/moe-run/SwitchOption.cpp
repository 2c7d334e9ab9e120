// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The option --ocs: optical circuit switches.

#include "DeviceOption.h"
#include "moe/Circuits/Register.h"
#include "moe/Circuits/Switches.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;
using namespace moe;
using namespace moe::run;

/// Appends the ports A to B of "A-B", or takes all; the two exclude each other.
static bool readPorts(StringRef text, SwitchOptions &options) {
  if (text == "all")
    options.allPorts = true;
  if (options.allPorts)
    return text == "all" && options.ports.empty();
  constexpr int32_t kMostPorts = 1 << 16;
  auto [first, last] = text.split('-');
  int32_t from, to;
  if (first.getAsInteger(10, from) || last.getAsInteger(10, to) || from < 1 ||
      to < from || to > kMostPorts)
    return false;
  for (int32_t port = from; port <= to; ++port)
    options.ports.push_back(port);
  return true;
}

/// Reads one KEY=VALUE. Returns the error, empty on success.
static std::string readKey(StringRef text, SwitchOptions &options) {
  auto [key, value] = text.split('=');
  if (key == "dialect") {
    options.dialect =
        value == "calient" ? MOERT_OCS_CALIENT : MOERT_OCS_POLATIS;
    if (value == "calient" || value == "polatis")
      return "";
    return "expected dialect=polatis or dialect=calient";
  }
  if (key == "user") {
    options.user = value.str();
    return value.empty() ? "expected a name after user=" : "";
  }
  if (key == "link-up-us")
    return value.getAsDouble(options.linkUpUs)
               ? "expected microseconds after link-up-us="
               : "";
  if (key == "ports")
    return readPorts(value, options)
               ? ""
               : "expected ports=all, or only ports=A-B with 1 <= A <= B <= "
                 "65536";
  return "expected dialect=, user=, link-up-us= or ports=";
}

/// Reads `NAME=HOST:PORT[,KEY=VALUE...]`. Returns the error, empty on success.
static std::string parseSwitch(StringRef text, SwitchOptions &options) {
  auto [name, rest] = text.split('=');
  SmallVector<StringRef> parts;
  rest.split(parts, ',');
  if (name.empty() || parts.front().empty())
    return ("--ocs: expected NAME=HOST:PORT, got '" + text + "'").str();
  options.name = name.str();
  options.address = parts.front().str();
  for (StringRef part : ArrayRef(parts).drop_front())
    if (std::string problem = readKey(part, options); !problem.empty())
      return ("--ocs=" + name + ": " + problem + ", got '" + part + "'").str();
  return "";
}

namespace {

class SwitchOption : public DeviceOption {
public:
  explicit SwitchOption(cl::OptionCategory &category)
      : ocs("ocs", cl::value_desc("NAME=HOST:PORT[,KEY=VALUE...]"),
            cl::desc(
                "Address of the optical circuit switch that the program calls "
                "NAME; keys: dialect=polatis|calient, user=U (password: "
                "MOERT_OCS_PASSWORD), link-up-us=T, ports=A-B or ports=all "
                "(compiled code; may be repeated)"),
            cl::cat(category)) {}

  const cl::Option &getOption() const override { return ocs; }

  cost::Result<std::shared_ptr<Devices>>
  read(int64_t deadlineUs) const override {
    std::vector<SwitchOptions> switches;
    for (const std::string &text : ocs) {
      SwitchOptions own;
      if (std::string problem = parseSwitch(text, own); !problem.empty())
        return cost::Failure{problem};
      for (const SwitchOptions &other : switches)
        if (other.name == own.name)
          return cost::Failure{"--ocs=" + own.name +
                               ": expected it once, got it twice"};
      switches.push_back(std::move(own));
    }
    return std::shared_ptr<Devices>(
        std::make_shared<Switches>(std::move(switches), deadlineUs));
  }

private:
  cl::list<std::string> ocs;
};

} // namespace

std::unique_ptr<DeviceOption>
moe::run::makeDeviceOption(cl::OptionCategory &category) {
  registerCircuitRuntime();
  return std::make_unique<SwitchOption>(category);
}
