// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands for optical switches.

#include "ocs/Commands.h"
#include <charconv>
#include <string_view>

using namespace moert;

Tl1Command SwitchCommands::login(const std::string &user,
                                 const std::string &password) const {
  return {"ACT-USER::" + user + ":", "::" + password + ";", "::***;"};
}

Tl1Command SwitchCommands::retrieve() const {
  const char *verb = dialect == MOERT_OCS_POLATIS ? "PATCH" : "CRS";
  return {std::string("RTRV-") + verb + ":::", ":;", ""};
}

/// Returns "1&2&3", TL1's syntax for a command on several objects.
static std::string join(const std::vector<Circuit> &circuits,
                        int32_t Circuit::*port) {
  std::string text;
  for (const Circuit &circuit : circuits)
    text.append(text.empty() ? "" : "&").append(std::to_string(circuit.*port));
  return text;
}

static std::string print(const Circuit &circuit) {
  return std::to_string(circuit.in) + "," + std::to_string(circuit.out);
}

std::vector<Tl1Command>
SwitchCommands::remove(const std::vector<Circuit> &circuits) const {
  if (circuits.empty())
    return {};
  // A port identifies its patch.
  if (dialect == MOERT_OCS_POLATIS)
    return {{"DLT-PATCH::" + join(circuits, &Circuit::in) + ":", ":;", ""}};
  std::vector<Tl1Command> commands;
  for (const Circuit &circuit : circuits)
    commands.push_back({"DLT-CRS::" + print(circuit) + ":", ":;", ""});
  return commands;
}

std::vector<Tl1Command>
SwitchCommands::add(const std::vector<Circuit> &circuits) const {
  if (circuits.empty())
    return {};
  if (dialect == MOERT_OCS_POLATIS)
    return {{"ENT-PATCH::" + join(circuits, &Circuit::in) + "," +
                 join(circuits, &Circuit::out) + ":",
             ":;", ""}};
  std::vector<Tl1Command> commands;
  for (const Circuit &circuit : circuits)
    commands.push_back({"ENT-CRS::" + print(circuit) + ":", "::moe,2WAY;", ""});
  return commands;
}

Status SwitchCommands::parseCircuit(const std::string &line, Circuit &circuit) {
  std::string_view text = line;
  auto takeNumber = [&](int32_t &number) {
    auto [end, failure] =
        std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || number < 1)
      return false;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return true;
  };
  auto take = [&](char c) {
    if (text.empty() || text.front() != c)
      return false;
    text.remove_prefix(1);
    return true;
  };
  bool isWellFormed = take('"') && takeNumber(circuit.in) && take(',') &&
                      takeNumber(circuit.out) && text.ends_with('"') &&
                      (text.front() == '"' || text.front() == ':');
  if (isWellFormed)
    return {};
  return error(MOERT_BACKEND_ERROR,
               "expected a circuit like \"1,9\" in the switch's list, got %s",
               line.c_str());
}

bool moert::isPlainWord(const std::string &text) {
  if (text.empty())
    return false;
  for (char c : text)
    if (c <= 32 || c >= 127 ||
        std::string_view("\":;,&<>\\").find(c) != std::string_view::npos)
      return false;
  return true;
}
