// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes the prefixes that launchers and log collectors add to a program's
// lines.

#ifndef MOE_LIB_PLATFORM_LAUNCHERPREFIX_H
#define MOE_LIB_PLATFORM_LAUNCHERPREFIX_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace moe::platform {

/// The line without escape sequences of a terminal (colours), a carriage return
/// at its end, and a byte order mark.
std::string cleanLine(std::string_view line);

/// Length of the time of day or date that `text` begins with, 0 if it begins
/// with neither: "2025-10-02T20:23:53.1Z", "2025/10/02 20:23:53,123",
/// "20:23:53", "Oct  2 20:23:53", "Thu Oct  2 20:23:53 2025", "1759436633.25".
size_t getTimestampLength(std::string_view text);

/// The prefix of all lines that one task of a job printed: "[1,0]<stdout>:"
/// (Open MPI), "0: " (srun --label), "[0] " (Hydra), "host: " (pdsh),
/// "[pod/name/container] " (kubectl), "2025-10-02T20:23:53Z " (timestamps), and
/// several of them. A user or a launcher may choose any text, so the prefix is
/// learned from a line that the program is known to print. It is the same for
/// all lines of a task, except that times of day differ.
class LauncherPrefix {
public:
  /// The empty prefix.
  LauncherPrefix() = default;
  /// The prefix that `text` is an example of.
  explicit LauncherPrefix(std::string_view text);

  /// The rest of a line that has this prefix. A launcher that reads its tasks'
  /// output in blocks may put its label into a line, too, where a block begins.
  std::optional<std::string> strip(std::string_view line) const;

  friend bool operator==(const LauncherPrefix &,
                         const LauncherPrefix &) = default;

private:
  /// A text, or a time of day where it is empty.
  std::vector<std::string> pieces;
  /// The label with its spaces, if it can be told from a program's own text.
  std::string label;
};

} // namespace moe::platform

#endif // MOE_LIB_PLATFORM_LAUNCHERPREFIX_H
