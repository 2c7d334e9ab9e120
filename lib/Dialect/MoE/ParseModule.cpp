// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Dialect/MoE/ParseModule.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace moe;

namespace {
/// A name that the previous release wrote. This table is the only place that
/// knows old names in program text. Delete each row one release after its
/// addition.
struct Renamed {
  StringLiteral old, current;
};

enum class TokenKind { String, Word, ResultNumber };

/// A string without its quotes, a word (a keyword, an op or an attribute key),
/// or the digits after `%name#` or `%name:`.
struct Token {
  TokenKind kind;
  StringRef text;
};
} // namespace

static constexpr Renamed kRenamed[] = {
    {"moe.order", "moe.permute"},
    {"moe.order_rows", "moe.permute_rows"},
    {"moe.unorder", "moe.unpermute"},
    {"moe.unorder_wgrad", "moe.unpermute_wgrad"},
    {"moe.soft_order", "moe.soft_permute"},
    {"moe.soft_unorder", "moe.soft_unpermute"},
    {"moert.order", "moert.permute"},
    {"moert.order_rows", "moert.permute_rows"},
    {"moert.unorder", "moert.unpermute"},
    {"moert.unorder_wgrad", "moert.unpermute_wgrad"},
    {"moert.soft_order", "moert.soft_permute"},
    {"moert.soft_unorder", "moert.soft_unpermute"},
    {"moe.us", "moe.time_us"},
    {"moe.part", "moe.sub_batch"},
    {"moe.step", "moe.plan"},
    {"moe.form", "moe.plan"},
    {"moe.gradients", "moe.plan"},
};

/// Visits the tokens of MLIR text until `visit` returns false. Skips comments.
/// SSA values, symbols, types and attributes (`%x`, `@x`, `!x`, `#x`) are not
/// words.
static void forEachToken(StringRef text, function_ref<bool(Token)> visit) {
  auto isName = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
  };
  for (size_t i = 0; i < text.size();) {
    size_t begin = i;
    char c = text[i++];
    auto skipName = [&](bool dashes) {
      while (i < text.size() && (isName(text[i]) || (dashes && text[i] == '-')))
        ++i;
    };
    if (c == '"') {
      while (i < text.size() && text[i] != '"' && text[i] != '\n')
        i += text[i] == '\\' ? 2 : 1;
      if (!visit({TokenKind::String, text.slice(begin + 1, i)}))
        return;
      ++i;
    } else if (c == '/' && text.substr(i).starts_with("/")) {
      i = text.find('\n', i);
    } else if (c == '%') {
      skipName(/*dashes=*/true);
      StringRef rest = text.substr(i);
      if (rest.consume_front("#") || rest.consume_front(":"))
        if (!visit({TokenKind::ResultNumber, rest.take_while(llvm::isDigit)}))
          return;
    } else if (c == '@' || c == '!' || c == '#' || c == '^') {
      skipName(/*dashes=*/false);
    } else if (isName(c)) {
      skipName(/*dashes=*/false);
      if (!visit({TokenKind::Word, text.slice(begin, i)}))
        return;
    }
  }
}

std::unique_ptr<llvm::MemoryBuffer>
moe::prepareText(llvm::MemoryBufferRef buffer, MLIRContext *context) {
  constexpr uint64_t kMost = uint64_t(1) << 20;
  if (isBytecode(buffer))
    return llvm::MemoryBuffer::getMemBuffer(buffer);
  StringRef text = buffer.getBuffer();
  auto getLoc = [&](StringRef token) {
    StringRef before = text.take_front(token.data() - text.data());
    size_t line = before.rfind('\n') + 1; // If not found, npos + 1 is 0.
    return FileLineColLoc::get(context, buffer.getBufferIdentifier(),
                               before.count('\n') + 1,
                               before.size() - line + 1);
  };

  StringRef tooLarge;
  std::string current;
  size_t copied = 0;
  llvm::StringSet<> warned;
  forEachToken(text, [&](Token token) {
    if (token.kind == TokenKind::ResultNumber) {
      uint64_t number;
      if (!token.text.empty() &&
          (token.text.getAsInteger(10, number) || number > kMost))
        tooLarge = token.text;
      return tooLarge.empty();
    }
    const auto *renamed = llvm::find_if(
        kRenamed, [&](const Renamed &name) { return name.old == token.text; });
    if (renamed == std::end(kRenamed))
      return true;
    size_t begin = token.text.data() - text.data();
    size_t end = begin + token.text.size();
    // A string is a name only at the start of a generic op or as a key.
    if (token.kind == TokenKind::String) {
      StringRef next = text.substr(end + 1).ltrim();
      if (!next.starts_with("(") && !next.starts_with("="))
        return true;
    }
    if (warned.insert(renamed->old).second)
      emitWarning(getLoc(token.text))
          << "'" << renamed->old << "' was renamed to '" << renamed->current
          << "'; the next release will not accept the old name";
    current += text.slice(copied, begin);
    current += renamed->current;
    copied = end;
    return true;
  });
  if (!tooLarge.empty()) {
    emitError(getLoc(tooLarge)) << "expected at most " << kMost
                                << " as a result's number, got " << tooLarge;
    return nullptr;
  }
  if (copied == 0)
    return llvm::MemoryBuffer::getMemBuffer(buffer);
  current += text.substr(copied);
  return llvm::MemoryBuffer::getMemBufferCopy(current,
                                              buffer.getBufferIdentifier());
}

OwningOpRef<ModuleOp> moe::parseModule(llvm::SourceMgr &sources,
                                       MLIRContext *context) {
  std::unique_ptr<llvm::MemoryBuffer> text = prepareText(
      sources.getMemoryBuffer(sources.getMainFileID())->getMemBufferRef(),
      context);
  if (!text)
    return nullptr;
  llvm::SourceMgr prepared;
  prepared.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(prepared, context);
}
