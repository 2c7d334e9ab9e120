// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that are written after a long computation.

#include "moe/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace llvm;
using namespace moe;

static cost::Failure fail(StringRef path, std::error_code error) {
  return {(path + ": expected a file that can be written, got: " +
           error.message())
              .str()};
}

/// Checks that files can be created in a folder.
static std::error_code checkFolder(StringRef folder) {
  sys::fs::file_status status;
  if (std::error_code error = sys::fs::status(folder, status))
    return error;
  if (status.type() != sys::fs::file_type::directory_file)
    return std::make_error_code(std::errc::not_a_directory);
  return sys::fs::access(folder, sys::fs::AccessMode::Write);
}

/// Returns the folder of a path; the working directory if it has none.
static StringRef getFolder(StringRef path) {
  StringRef folder = sys::path::parent_path(path);
  return folder.empty() ? "." : folder;
}

std::optional<cost::Failure> moe::support::checkOutputFile(StringRef path) {
  if (path == "-")
    return std::nullopt;
  std::error_code error;
  if (sys::fs::is_directory(path))
    error = std::make_error_code(std::errc::is_a_directory);
  else if (sys::fs::exists(path))
    error = sys::fs::access(path, sys::fs::AccessMode::Write);
  else
    error = checkFolder(getFolder(path));
  if (error)
    return fail(path, error);
  return std::nullopt;
}

std::optional<cost::Failure> moe::support::checkOutputFolder(StringRef path) {
  StringRef made = path;
  while (!sys::fs::exists(made) && made != ".")
    made = getFolder(made);
  if (std::error_code error = checkFolder(made))
    return cost::Failure{
        (path + ": expected a folder that files can be written to, got: " +
         error.message())
            .str()};
  return std::nullopt;
}

std::optional<cost::Failure>
moe::support::writeOutputFile(StringRef path,
                              function_ref<void(raw_ostream &)> print) {
  std::error_code error;
  ToolOutputFile file(path, error, sys::fs::OF_None);
  if (error)
    return fail(path, error);
  print(file.os());
  // Flushing detects a full disk.
  file.os().flush();
  error = file.os().error();
  file.os().clear_error();
  if (error) {
    // Devices and other files that are not regular are kept.
    if (!sys::fs::is_regular_file(path))
      file.keep();
    return fail(path, error);
  }
  file.keep();
  return std::nullopt;
}
