// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands for optical switches.

#ifndef MOERT_OCS_COMMANDS_H
#define MOERT_OCS_COMMANDS_H

#include "moert_ocs.h"
#include "ocs/Circuits.h"

namespace moert {

/// A command without its tag, which identifies its answer.
struct Tl1Command {
  /// Text before and after the tag.
  std::string before, after;
  /// Shown in place of `after`, which may contain a password.
  std::string shownAfter;

  std::string print(const std::string &tag) const {
    return before + tag + after;
  }
  std::string show(const std::string &tag) const {
    return before + tag + (shownAfter.empty() ? after : shownAfter);
  }
};

/// Commands of SPEC MF-14 in the syntax of one vendor.
class SwitchCommands {
public:
  explicit SwitchCommands(moert_ocs_dialect dialect) : dialect(dialect) {}

  Tl1Command login(const std::string &user, const std::string &password) const;
  /// Queries the cross-connects.
  Tl1Command retrieve() const;
  /// Takes cross-connects down; Polatis needs one command for all.
  std::vector<Tl1Command> remove(const std::vector<Circuit> &circuits) const;
  /// Sets cross-connects up; Polatis needs one command for all.
  std::vector<Tl1Command> add(const std::vector<Circuit> &circuits) const;

  /// Parses a line of the answer to `retrieve`: "in,out" in quotes, where a
  /// colon and more text may follow before the closing quote.
  static Status parseCircuit(const std::string &line, Circuit &circuit);

private:
  moert_ocs_dialect dialect;
};

/// Returns true if a name or password can be a part of a command: it has no
/// blanks, quotes, separators or nonprinting characters.
bool isPlainWord(const std::string &text);

} // namespace moert

#endif // MOERT_OCS_COMMANDS_H
