// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of TL1.

#ifndef MOERT_OCS_TL1_H
#define MOERT_OCS_TL1_H

#include <string>
#include <string_view>
#include <vector>

namespace moert {

/// One message of a switch.
struct Tl1Message {
  enum class Kind {
    /// "M  ctag COMPLD": the answer to a command, or a part of it.
    Response,
    /// "A  atag REPT EVT ...": told without being asked.
    Autonomous,
    /// "IP ctag <": the command has arrived.
    Acknowledgment,
    /// None of these, e.g. an echo of what was sent.
    Unknown
  };
  Kind kind = Kind::Unknown;
  /// Of responses and acknowledgments: which command it is about.
  std::string tag;
  /// COMPLD, DENY, PRTL, DELAY, RTRV; IP, OK, ... of acknowledgments.
  std::string code;
  /// Lines after the one with the code, without the blanks around them.
  std::vector<std::string> lines;
  /// Ended by '>': another message of the same response follows.
  bool isContinued = false;
  /// As it came, with its terminator.
  std::string text;
};

/// Cuts what a switch sends into messages, however it arrives.
class Tl1Reader {
public:
  /// No message of a switch with some hundred ports is nearly that long.
  static constexpr size_t kMostBytes = size_t(1) << 20;

  void feed(std::string_view bytes) { pending.append(bytes); }
  /// Takes the next message out; false when none is complete.
  bool next(Tl1Message &message);
  /// Bytes of a message that is not complete.
  const std::string &getRest() const { return pending; }
  /// What has come is too long for a message.
  bool isTooLong() const { return pending.size() > kMostBytes; }

private:
  std::string pending;
  /// How far `pending` has been looked at, and inside of what that is.
  size_t place = 0;
  enum class State { Plain, Quoted, Comment } state = State::Plain;
};

/// What was sent or received for an error: one line, escaped, its middle left
/// out when it is long.
std::string printWire(std::string_view bytes);

} // namespace moert

#endif // MOERT_OCS_TL1_H
