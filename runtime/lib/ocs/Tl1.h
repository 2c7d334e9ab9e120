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
    /// "A  atag REPT EVT ...": an unsolicited message.
    Autonomous,
    /// "IP ctag <": the command has arrived.
    Acknowledgment,
    /// Any other message, for example an echo of a command.
    Unknown
  };
  Kind kind = Kind::Unknown;
  /// The tag of the command, in responses and acknowledgments.
  std::string tag;
  /// COMPLD, DENY, PRTL, DELAY or RTRV; in acknowledgments, IP, OK and others.
  std::string code;
  /// Lines after the line with the code, without surrounding blanks.
  std::vector<std::string> lines;
  /// Whether the message ended with '>': another one of the same response
  /// follows.
  bool isContinued = false;
  /// The original text with its terminator.
  std::string text;
};

/// Splits the byte stream of a switch into messages.
class Tl1Reader {
public:
  /// Far above the message size of a switch with hundreds of ports.
  static constexpr size_t kMostBytes = size_t(1) << 20;

  void feed(std::string_view bytes) { pending.append(bytes); }
  /// Takes out the next message; returns false if none is complete.
  bool next(Tl1Message &message);
  /// Returns the bytes of an incomplete message.
  const std::string &getRest() const { return pending; }
  /// Returns true if more bytes have arrived than a message can have.
  bool isTooLong() const { return pending.size() > kMostBytes; }

private:
  std::string pending;
  /// The end of the scanned part of `pending`, and the state there.
  size_t place = 0;
  enum class State { Plain, Quoted, Comment } state = State::Plain;
};

/// Prints traffic for an error on one line, with escapes, omitting the middle
/// of long text.
std::string printWire(std::string_view bytes);

} // namespace moert

#endif // MOERT_OCS_TL1_H
