// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contents of files.

#include "moe/Support/TextFile.h"

#include <cstdint>
#include <filesystem>
#include <fstream>

using namespace moe;

/// The project's files are not larger, and the limit avoids reading wrong files
/// entirely.
static constexpr size_t kMaxFileBytes = 64'000'000;

cost::Result<std::string> moe::support::readTextFile(const std::string &path,
                                                     const std::string &what) {
  auto fail = [&](const std::string &found) {
    return cost::Failure{path + ": expected " + what + ", got " + found};
  };
  std::error_code error;
  std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    return fail("no such file");
  if (std::filesystem::is_directory(status))
    return fail("a directory");
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return fail("a file that cannot be opened for reading");
  std::string text;
  char buffer[1 << 14];
  while (stream.read(buffer, sizeof(buffer)) || stream.gcount() > 0) {
    text.append(buffer, size_t(stream.gcount()));
    if (text.size() > kMaxFileBytes)
      return fail("a file of more than " + std::to_string(kMaxFileBytes) +
                  " bytes");
  }
  if (stream.bad())
    return fail("a file that cannot be read");
  return text;
}
