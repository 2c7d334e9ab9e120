//===- EmitHeader.cpp - The C headers of programs ---------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moe/Dialect/MoERT/MoERTProgram.h"
#include "moe/Execution/Emit.h"

using namespace mlir;
using namespace moe;

static FailureOr<int64_t> getBytes(func::FuncOp entry, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  FailureOr<int64_t> element =
      rt::getElementBytes(tensor ? tensor.getElementType() : type);
  if (failed(element) || (tensor && !tensor.hasStaticShape()))
    return entry.emitError() << "expected arguments and results that have a "
                                "buffer at run time, got "
                             << type;
  return *element * (tensor ? tensor.getNumElements() : 1);
}

/// One table of a header: its sizes, and what each entry is.
static LogicalResult emitTable(func::FuncOp entry, StringRef name,
                               StringRef what, TypeRange types, bool isInput,
                               raw_ostream &os) {
  std::string upper = what.upper();
  os << "#define " << name << "_NUM_" << upper << "S " << types.size() << "\n";
  if (types.empty())
    return success();
  os << "/** Bytes of each " << what << ":\n";
  std::string sizes;
  for (auto [i, type] : llvm::enumerate(types)) {
    FailureOr<int64_t> bytes = getBytes(entry, type);
    if (failed(bytes))
      return failure();
    os << " * " << i << ": " << type;
    if (isInput) {
      auto varying = entry.getArgAttrOfType<ArrayAttr>(
          i, MoEDialect::getVaryingAttrName());
      os << ", ";
      if (!varying)
        os << "each rank's own";
      else if (varying.empty())
        os << "the same on all ranks";
      else
        llvm::interleaveComma(varying.getAsRange<StringAttr>(),
                              os << "varies over ",
                              [&](StringAttr axis) { os << axis.getValue(); });
    }
    os << "\n";
    sizes += (i ? ", " : "") + std::to_string(*bytes);
  }
  os << " */\nstatic const int64_t " << name << "_" << what << "_bytes["
     << types.size() << "] = {" << sizes << "};\n\n";
  return success();
}

LogicalResult moe::emitHeader(func::FuncOp entry, raw_ostream &os) {
  if (!llvm::all_of(entry.getSymName(),
                    [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    return entry.emitError()
           << "expected a function's name of letters, digits and _, got '"
           << entry.getSymName() << "'";
  std::string name = (rt::kCodePrefix + entry.getSymName()).str();
  std::string guard = name + "_H";
  os << "/* Program @" << entry.getSymName()
     << ", compiled by moe-translate --emit=object. */\n"
     << "#ifndef " << guard << "\n#define " << guard
     << "\n\n#include \"moert.h\"\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "/** Ranks of the job: what every rank's context has to say. */\n"
     << "#define " << name << "_NUM_RANKS " << moe::getNumRanks(entry)
     << "\n\n";
  if (failed(emitTable(entry, name, "input", entry.getArgumentTypes(), true,
                       os)) ||
      failed(
          emitTable(entry, name, "result", entry.getResultTypes(), false, os)))
    return failure();
  os << "/** Runs the program of one rank; all ranks call it. Inputs are read "
        "and results\n"
     << " * written row-major in memory streams work on; neither overlap. "
        "Returns a\n"
     << " * moert_status: MOERT_INVALID_ARGUMENT before it begins, when the "
        "job has another\n"
     << " * number of ranks or a pointer is NULL. After a failure, keep all of "
        "them until\n"
     << " * moert_finalize. */\n"
     << "int32_t " << name
     << "(moert_context *context, void **inputs, void **results);\n\n"
     << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  return success();
}
