// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Dialect/MoE/ParseModule.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace moe;

/// The place of the digits of the first result number above `most`, npos for
/// none. Skips strings and comments.
static size_t findLargeResultNumber(StringRef text, uint64_t most) {
  auto isName = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
  };
  for (size_t i = 0; i < text.size();) {
    char c = text[i++];
    if (c == '"') {
      while (i < text.size() && text[i] != '"' && text[i] != '\n')
        i += text[i] == '\\' ? 2 : 1;
      ++i;
    } else if (c == '/' && text.substr(i).starts_with("/")) {
      i = text.find('\n', i);
    } else if (c == '%') {
      while (i < text.size() && isName(text[i]))
        ++i;
      StringRef rest = text.substr(i);
      if (!rest.consume_front("#") && !rest.consume_front(":"))
        continue;
      StringRef digits = rest.take_while(llvm::isDigit);
      uint64_t number;
      if (!digits.empty() && (digits.getAsInteger(10, number) || number > most))
        return i + 1;
    }
  }
  return StringRef::npos;
}

LogicalResult moe::checkResultNumbers(const llvm::SourceMgr &sources,
                                      MLIRContext *context) {
  constexpr uint64_t kMost = uint64_t(1) << 20;
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  if (isBytecode(buffer->getMemBufferRef()))
    return success();
  StringRef text = buffer->getBuffer();
  size_t at = findLargeResultNumber(text, kMost);
  if (at == StringRef::npos)
    return success();
  auto [line, column] = sources.getLineAndColumn(
      llvm::SMLoc::getFromPointer(text.data() + at), sources.getMainFileID());
  return emitError(FileLineColLoc::get(context, buffer->getBufferIdentifier(),
                                       line, column))
         << "expected at most " << kMost << " as a result's number, got "
         << text.substr(at).take_while(llvm::isDigit);
}

OwningOpRef<ModuleOp> moe::parseModule(llvm::SourceMgr &sources,
                                       MLIRContext *context) {
  if (failed(checkResultNumbers(sources, context)))
    return nullptr;
  return parseSourceFile<ModuleOp>(sources, context);
}
