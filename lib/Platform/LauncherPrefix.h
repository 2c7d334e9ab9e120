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

/// Removes terminal escape sequences (colours), a trailing carriage return and
/// a byte order mark.
std::string cleanLine(std::string_view line);

/// Returns the length of the time of day or date at the start of `text`, or 0
/// if there is none: "2025-10-02T20:23:53.1Z", "2025/10/02 20:23:53,123",
/// "20:23:53", "Oct  2 20:23:53", "Thu Oct  2 20:23:53 2025", "1759436633.25".
size_t getTimestampLength(std::string_view text);

/// The prefix of all lines that one task of a job printed: for example
/// "[1,0]<stdout>:" (Open MPI), "0: " (srun --label), "[0] " (Hydra), "host: "
/// (pdsh), "[pod/name/container] " (kubectl), "2025-10-02T20:23:53Z "
/// (timestamps), or several of these. Users and launchers may choose any text,
/// so the prefix is learned from a line that the program is known to print. All
/// lines of a task have the same prefix except for times of day.
class LauncherPrefix {
public:
  /// The empty prefix.
  LauncherPrefix() = default;
  /// Learns the prefix from the example `text`.
  explicit LauncherPrefix(std::string_view text);

  /// Returns the rest of a line that has this prefix. Also removes labels
  /// inside the line, because launchers that read output in blocks may insert a
  /// label at the start of a block.
  std::optional<std::string> strip(std::string_view line) const;

  friend bool operator==(const LauncherPrefix &,
                         const LauncherPrefix &) = default;

private:
  /// Literal texts; an empty one represents a time of day.
  std::vector<std::string> pieces;
  /// The label with its spaces, if it is distinct from the program's own text.
  std::string label;
};

} // namespace moe::platform

#endif // MOE_LIB_PLATFORM_LAUNCHERPREFIX_H
