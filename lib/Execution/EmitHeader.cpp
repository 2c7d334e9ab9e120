// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the C headers of programs.

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/NameAttr.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moe/Dialect/MoERT/MoERTProgram.h"
#include "moe/Execution/Emit.h"
#include "moe/Interpreter/Program.h"

using namespace mlir;
using namespace moe;

/// Returns the bytes of a value of this type; fails if the type has no buffer.
static FailureOr<int64_t> countTensorBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  FailureOr<int64_t> element =
      rt::getElementBytes(tensor ? tensor.getElementType() : type);
  if (failed(element) || (tensor && !tensor.hasStaticShape()))
    return failure();
  return *element * (tensor ? tensor.getNumElements() : 1);
}

LogicalResult moe::verifyHeader(func::FuncOp entry) {
  if (!llvm::all_of(entry.getSymName(),
                    [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    return entry.emitError()
           << "expected a function's name of letters, digits and _, got '"
           << entry.getSymName() << "'";
  for (TypeRange types :
       {TypeRange(entry.getArgumentTypes()), TypeRange(entry.getResultTypes())})
    for (Type type : types)
      if (failed(countTensorBytes(type)))
        return entry.emitError() << "expected arguments and results that have "
                                    "a buffer at run time, got "
                                 << type;
  return success();
}

/// Writes one table of a header: its sizes and a description of each entry.
static void emitTable(const Program &program, StringRef name, StringRef what,
                      TypeRange types, bool isInput, raw_ostream &os) {
  func::FuncOp entry = program.getEntry();
  std::vector<DrawnRange> ranges = program.getIntegerRanges();
  std::string upper = what.upper();
  os << "#define " << name << "_NUM_" << upper << "S " << types.size() << "\n";
  if (types.empty())
    return;
  os << "/** Bytes of each " << what << ":\n";
  std::string sizes;
  for (auto [i, type] : llvm::enumerate(types)) {
    os << " * " << i << ": " << type;
    StringRef attr = kNameAttrName;
    if (auto named = isInput ? entry.getArgAttrOfType<StringAttr>(i, attr)
                             : entry.getResultAttrOfType<StringAttr>(i, attr))
      os << " " << named.getValue();
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
                              os << "varies over ", [&](StringAttr axis) {
                                // The name of an axis is arbitrary and must not
                                // end the comment.
                                std::string text = axis.getValue().str();
                                for (size_t at; (at = text.find("*/")) !=
                                                std::string::npos;)
                                  text.insert(at + 1, " ");
                                os << text;
                              });
      if (ranges[i].low && getElementTypeOrSelf(type).isIntOrIndex())
        os << ", may hold " << *ranges[i].low << " to " << *ranges[i].high;
    }
    os << "\n";
    sizes += (i ? ", " : "") + std::to_string(*countTensorBytes(type));
  }
  os << " */\nstatic const int64_t " << name << "_" << what << "_bytes["
     << types.size() << "] = {" << sizes << "};\n\n";
}

/// Returns an upper bound on the number of host waits per run, as recorded in
/// the code.
static int64_t getHostWaits(ModuleOp code, StringRef name) {
  Operation *function =
      SymbolTable::lookupSymbolIn(code, (name + "_enqueue").str());
  auto waits = function->getAttrOfType<IntegerAttr>(
      rt::MoERTDialect::getHostWaitsAttrName());
  return waits ? waits.getInt() : 0;
}

void moe::emitHeader(const Program &program, ModuleOp code, raw_ostream &os) {
  func::FuncOp entry = program.getEntry();
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
  emitTable(program, name, "input", entry.getArgumentTypes(), true, os);
  emitTable(program, name, "result", entry.getResultTypes(), false, os);
  os << "/** How often the host waits in a run, for counts that it reads or "
        "for "
        "switches; at\n"
     << " * most, where the program has branches. */\n"
     << "#define " << name << "_HOST_WAITS " << getHostWaits(code, name)
     << "\n\n"
     << "/** The program's inputs and results as JSON: names, types, shapes, "
        "axes. */\n"
     << "extern const char " << name << "_description[];\n\n"
     << "/** Bytes of the workspace of " << name
     << "_enqueue; for GPUs, with the scratch memory of kernels. */\n"
     << "int64_t " << name << "_workspace_bytes(void);\n\n"
     << "/** Makes what the context keeps for the program, which the first run "
        "would do; all\n"
     << " * ranks call it. Returns a moert_status. */\n"
     << "int32_t " << name << "_prepare(moert_context *context);\n\n"
     << "/** Puts a run of one rank behind the work of `stream`; all ranks do. "
        "Inputs are\n"
     << " * read and results written row-major in memory streams work on; "
        "neither overlap.\n"
     << " * They and the workspace, aligned to MOERT_WORKSPACE_ALIGNMENT, stay "
        "in place until\n"
     << " * the run has ended. Returns a moert_status: MOERT_INVALID_ARGUMENT "
        "before it\n"
     << " * begins, when the job has another number of ranks or a pointer is "
        "NULL. After a\n"
     << " * failure, keep all of them until moert_finalize. */\n"
     << "int32_t " << name
     << "_enqueue(moert_context *context, moert_stream *stream, void "
        "**inputs,\n                "
     << "void **results, void *workspace);\n\n"
     << "/** The same with a workspace and on a stream that the context keeps; "
        "returns when\n"
     << " * the run has ended. */\n"
     << "int32_t " << name
     << "(moert_context *context, void **inputs, void **results);\n\n"
     << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
}
