// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Old names of options, accepted for one release.
// lib/Dialect/MoE/ParseModule.cpp has the old names in program text, and the
// enumerations have their old values (EnumName::old).

#include "moe/Support/OldNames.h"
#include "moe/Support/OptionValues.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace moe;

namespace {
struct Renamed {
  StringLiteral old, current;
};
} // namespace

static constexpr Renamed kPassOptions[] = {
    {"parts", "sub-batches"},
    {"max-degree", "max-chunks"},
};

static constexpr Renamed kArguments[] = {
    {"hidden", "hidden-size"},
    {"ffn-hidden", "expert-ffn-size"},
    {"micro-batches", "num-micro-batches"},
    {"max-degree", "max-chunks"},
    {"parts", "sub-batches"},
};

/// Returns the current name if `name` is an old one, otherwise `name`.
static StringRef getCurrent(ArrayRef<Renamed> renamed, StringRef name,
                            StringRef prefix) {
  const Renamed *found = llvm::find_if(
      renamed, [&](const Renamed &entry) { return entry.old == name; });
  if (found == renamed.end())
    return name;
  warnRenamed(("option '" + prefix + name + "'").str(),
              (prefix + found->current).str());
  return found->current;
}

void moe::warnRenamed(StringRef old, StringRef current) {
  WithColor::warning() << old << " was renamed to '" << current
                       << "'; the next release will not accept the old name\n";
}

std::string moe::renameOptions(StringRef options) {
  std::string text;
  forEachOption(options, [&](StringRef name, StringRef value) {
    text += (text.empty() ? "" : " ") +
            (getCurrent(kPassOptions, name, "") + value).str();
  });
  return text;
}

SmallVector<const char *> moe::renameArguments(int argc, char **argv) {
  static BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *> arguments(argv, argv + argc);
  for (const char *&argument :
       MutableArrayRef(arguments).drop_front(argc > 0)) {
    StringRef text = argument;
    if (text == "--")
      break;
    // LLVM accepts long options with one dash, too.
    if (!text.consume_front("-"))
      continue;
    text.consume_front("-");
    StringRef name = text.take_until([](char c) { return c == '='; });
    StringRef current = getCurrent(kArguments, name, "--");
    if (current != name)
      argument =
          saver.save("--" + current + text.drop_front(name.size())).data();
  }
  return arguments;
}
