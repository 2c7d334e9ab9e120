// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that name output files.

#include "moe/Tools/OutputOption.h"
#include "moe/Support/OutputFile.h"
#include <map>
#include <set>

using namespace llvm;
using namespace moe;

/// Returns all output options of the process.
static std::set<const OutputOption *> &getOptions() {
  static std::set<const OutputOption *> options;
  return options;
}

bool OutputOption::list(const OutputOption *option) {
  return getOptions().insert(option).second;
}

OutputOption::~OutputOption() { getOptions().erase(this); }

std::string moe::checkOutputs() {
  // Sorted by name, so that the message does not depend on addresses.
  std::map<std::string, const OutputOption *> given;
  for (const OutputOption *option : getOptions())
    if (option->getNumOccurrences() > 0)
      given.emplace(option->ArgStr.str(), option);
  for (const auto &[name, option] : given) {
    const std::string &path = option->getValue();
    std::string dashes = name.size() == 1 ? "-" : "--";
    if (path.empty() || (path == "-" && !option->mayBeStdout))
      return dashes + name + ": expected a " +
             (option->isFolder ? "directory" : "file") + ", got '" + path +
             "'" +
             (path.empty() ? "" : ": the answer goes to standard output");
    if (auto failure = option->isFolder ? support::checkOutputFolder(path)
                                        : support::checkOutputFile(path))
      return dashes + name + ": " + failure->message;
  }
  return "";
}
