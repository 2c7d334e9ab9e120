// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said to an optical switch.

#ifndef MOERT_OCS_COMMANDS_H
#define MOERT_OCS_COMMANDS_H

#include "moert_ocs.h"
#include "ocs/Circuits.h"

namespace moert {

/// A command, without the tag that tells answers apart.
struct Tl1Command {
  /// Before and after the tag.
  std::string before, after;
  /// Shown in place of `after`, which may hold a password.
  std::string shownAfter;

  std::string print(const std::string &tag) const {
    return before + tag + after;
  }
  std::string show(const std::string &tag) const {
    return before + tag + (shownAfter.empty() ? after : shownAfter);
  }
};

/// Commands of SPEC MF-14 as one maker of switches spells them.
class SwitchCommands {
public:
  explicit SwitchCommands(moert_ocs_dialect dialect) : dialect(dialect) {}

  Tl1Command login(const std::string &user, const std::string &password) const;
  /// Asks for the cross-connects.
  Tl1Command retrieve() const;
  /// Takes cross-connects down. Polatis: one command for all.
  std::vector<Tl1Command> remove(const std::vector<Circuit> &circuits) const;
  /// Sets cross-connects up. Polatis: one command for all.
  std::vector<Tl1Command> add(const std::vector<Circuit> &circuits) const;

  /// Reads a line of the answer to `retrieve`: "in,out" in quotes, of which
  /// more may follow behind a colon.
  static Status parseCircuit(const std::string &line, Circuit &circuit);

private:
  moert_ocs_dialect dialect;
};

/// Whether a name or password can stand in a command: no blanks, quotes,
/// separators or characters that do not print.
bool isPlainWord(const std::string &text);

} // namespace moert

#endif // MOERT_OCS_COMMANDS_H
