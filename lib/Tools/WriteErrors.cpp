// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handling of output errors.

#include "moe/Tools/WriteErrors.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>

using namespace llvm;

namespace {
struct Handling {
  std::string tool;
  int exitCode;
  /// Value of `-o`; empty if not given.
  std::string output;
};
} // namespace

/// Returns the value of the last `-o`, `--o`, `-o=` or `--o=`.
static std::string findOutput(int argc, const char *const *argv) {
  StringRef output;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    if (argument == "--")
      break;
    if (!argument.consume_front("-"))
      continue;
    argument.consume_front("-");
    if (argument == "o" && i + 1 < argc)
      output = argv[++i];
    else if (argument.consume_front("o="))
      output = argument;
  }
  return output == "-" ? std::string() : output.str();
}

/// `reason` is the text of `report_fatal_error`, which LLVM's streams call from
/// their destructors; the error is available nowhere else.
static void handleFatalError(void *data, const char *reason, bool) {
  const auto &handling = *static_cast<Handling *>(data);
  StringRef text = reason;
  if (!text.consume_front("IO failure on output stream: ")) {
    errs() << "LLVM ERROR: " << text << "\n";
    return;
  }
  // The failing stream is still in its destructor.
  bool isStdout = handling.output.empty() || outs().has_error();
  errs() << handling.tool << ": error: cannot write "
         << (isStdout ? "standard output" : "'" + handling.output + "'") << ": "
         << text << "\n";
  if (!isStdout && sys::fs::is_regular_file(handling.output))
    if (std::error_code error = sys::fs::remove(handling.output))
      errs() << handling.tool << ": error: cannot remove the incomplete '"
             << handling.output << "': " << error.message() << "\n";
  // This skips destructors of other streams, which would report their own
  // errors.
  std::_Exit(handling.exitCode);
}

/// An opened file gets the lowest free descriptor. If a standard stream is
/// closed, the file would get its descriptor, and receive the tool's standard
/// output.
static void reserveStandardStreams() {
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) != -1 || errno != EBADF)
      continue;
    // Reading, and writing results, must fail like on a closed stream, while
    // messages are discarded.
    int flags = fd == STDOUT_FILENO ? O_RDONLY : O_WRONLY;
    if (open("/dev/null", flags) != fd)
      report_fatal_error("cannot open /dev/null for a closed standard stream");
  }
}

void moe::handleWriteErrors(StringRef tool, int exitCode, int argc,
                            const char *const *argv) {
  reserveStandardStreams();
  static Handling handling;
  handling = {tool.str(), exitCode, findOutput(argc, argv)};
  install_fatal_error_handler(handleFatalError, &handling);
}
