// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module and the function to execute.

#include "moe/Interpreter/Program.h"
#include "moe/Cost/MeshShape.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoERT/MoERTDialect.h"
#include "moe/Interpreter/Rounding.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

/// Returns true if a mesh or replica groups define the number of ranks.
static bool statesRanks(ModuleOp module) {
  if (MeshOp::lookup(module))
    return true;
  return module
      .walk([](Operation *op) {
        for (NamedAttribute attr : op->getAttrs())
          if (isa<ReplicaGroupsAttr>(attr.getValue()))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns the entry function; emits an error that lists the candidates if
/// there is none.
static func::FuncOp findEntry(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> candidates, open;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    candidates.push_back(function);
    if (function.isPublic())
      open.push_back(function);
  }
  StringRef wanted = name.empty() ? "main" : name;
  for (func::FuncOp function : candidates)
    if (function.getSymName() == wanted)
      return function;
  if (name.empty() && open.size() == 1)
    return open.front();
  InFlightDiagnostic diag = emitError(module.getLoc());
  diag << "expected a function ";
  if (name.empty())
    diag << "@main, or one public function";
  else
    diag << "@" << name;
  diag << ", to execute; got ";
  if (candidates.empty())
    diag << "no function with a body";
  llvm::interleave(
      candidates,
      [&](func::FuncOp function) { diag << "@" << function.getSymName(); },
      [&] { diag << ", "; });
  return nullptr;
}

/// Checks that the interpreter supports the element type, and can count the
/// elements.
static LogicalResult verifyEntryType(func::FuncOp function, StringRef what,
                                     unsigned number, Type type,
                                     bool allowDynamic) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = tensor ? tensor.getElementType() : type;
  if (!isInterpretedElementType(element))
    return function.emitError()
           << "expected " << what << " " << number
           << " to be a ranked tensor or scalar of integers, index or floats "
              "of up to 64 bits, got "
           << type;
  if (!tensor)
    return success();
  if (!allowDynamic && !tensor.hasStaticShape())
    return function.emitError() << "expected " << what << " " << number
                                << " to have a static shape, got " << type;
  if (tensor.hasStaticShape() && failed(getTensorBytes(tensor)))
    return function.emitError()
           << what << " " << number << " has more than 2^63 bytes: " << type;
  return success();
}

FailureOr<Program> Program::load(ModuleOp module, StringRef file,
                                 StringRef entry, std::optional<int64_t> ranks,
                                 uint64_t maxBytes) {
  Program program;
  program.module = module;
  program.file = file.str();
  program.entry = findEntry(module, entry);
  if (!program.entry)
    return failure();
  program.numRanks = moe::getNumRanks(module);
  if (ranks) {
    if (*ranks < 1)
      return emitError(module.getLoc())
             << "expected at least 1 rank, got --ranks=" << *ranks;
    if (!statesRanks(module))
      program.numRanks = *ranks;
    else if (program.numRanks != *ranks)
      return emitError(module.getLoc())
             << "expected --ranks=" << program.numRanks
             << ", which the module states, got --ranks=" << *ranks;
  }
  // Executions create tables of all ranks often, and a mesh may have 2^31 of
  // them.
  constexpr uint64_t kBytesPerRank = 1024;
  if (static_cast<uint64_t>(program.numRanks) > maxBytes / kBytesPerRank)
    return program.entry.emitError()
           << "executing " << program.numRanks << " ranks needs about "
           << kBytesPerRank << " bytes for each, and the limit is " << maxBytes
           << " bytes (--max-bytes)";
  for (auto [i, type] : llvm::enumerate(program.entry.getArgumentTypes()))
    if (failed(verifyEntryType(program.entry, "argument", i, type, false)))
      return failure();
  for (auto [i, type] : llvm::enumerate(program.entry.getResultTypes()))
    if (failed(verifyEntryType(program.entry, "result", i, type, true)))
      return failure();
  return program;
}

std::optional<SmallVector<StringRef>>
Program::getVarying(unsigned argument) const {
  auto attr = func::FuncOp(entry).getArgAttrOfType<ArrayAttr>(
      argument, MoEDialect::getVaryingAttrName());
  if (!attr)
    return std::nullopt;
  SmallVector<StringRef> names;
  for (auto name : attr.getAsRange<StringAttr>())
    names.push_back(name.getValue());
  return names;
}

std::vector<int64_t> Program::getRepresentatives(unsigned argument) const {
  std::vector<int64_t> representatives(numRanks);
  std::optional<SmallVector<StringRef>> varying = getVarying(argument);
  MeshOp mesh = MeshOp::lookup(module);
  uint64_t axes = 0;
  for (unsigned i = 0; mesh && varying && i < mesh.getShape().size(); ++i)
    if (llvm::is_contained(*varying, mesh.getAxisName(i)))
      axes |= uint64_t(1) << i;
  for (int64_t rank = 0; rank < numRanks; ++rank)
    representatives[rank] = !varying ? rank
                            : mesh
                                ? cost::projectRank(mesh.getShape(), rank, axes)
                                : 0;
  return representatives;
}

ArgumentNames Program::getArgumentNames(const Collapse *collapse) const {
  ArgumentNames names;
  MeshOp mesh = MeshOp::lookup(module);
  for (BlockArgument value : func::FuncOp(entry).getArguments()) {
    ArgumentNames::Argument &info = names.arguments.emplace_back();
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      for (auto [d, size] : llvm::enumerate(type.getShape())) {
        int64_t factor = collapse ? collapse->getFactor(value, d) : 1;
        info.shape.push_back(size / factor);
        info.factors.push_back(factor);
      }
    std::optional<SmallVector<StringRef>> varying =
        getVarying(value.getArgNumber());
    info.byRank = !mesh && !varying && numRanks > 1;
    if (!mesh)
      continue;
    for (auto [i, stride] : llvm::enumerate(cost::getStrides(mesh.getShape())))
      if (!varying || llvm::is_contained(*varying, mesh.getAxisName(i)))
        info.axes.push_back(
            {mesh.getAxisName(i).str(), stride, mesh.getShape()[i]});
  }
  return names;
}

SmallVector<int64_t> Program::getRealShape(Type type,
                                           ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> real(shape);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    for (auto [d, size] : llvm::enumerate(tensor.getShape()))
      if (!ShapedType::isDynamic(size))
        real[d] = size;
  return real;
}

/// Returns the `moe.varying` of an argument as the user wrote it.
static std::string printVarying(const Program &program, unsigned argument) {
  auto attr = func::FuncOp(program.getEntry())
                  .getArgAttrOfType<ArrayAttr>(
                      argument, MoEDialect::getVaryingAttrName());
  if (!attr)
    return "no moe.varying";
  std::string text = "moe.varying = ";
  llvm::raw_string_ostream(text) << attr;
  return text;
}

LogicalResult moe::verifyComparable(const Program &program,
                                    const Program &against) {
  auto fail = [&](const Twine &what, const Twine &got, const Twine &expected) {
    InFlightDiagnostic diag = func::FuncOp(program.getEntry()).emitError();
    diag << "expected programs that take and give the same, got " << what
         << ": " << got << " in " << program.getFile() << ", " << expected
         << " in " << against.getFile();
    diag.attachNote(func::FuncOp(against.getEntry()).getLoc())
        << "the other program's entry";
    return diag;
  };
  if (program.getNumRanks() != against.getNumRanks())
    return fail("another number of ranks", Twine(program.getNumRanks()),
                Twine(against.getNumRanks()));
  FunctionType left = func::FuncOp(program.getEntry()).getFunctionType();
  FunctionType right = func::FuncOp(against.getEntry()).getFunctionType();
  auto compare = [&](StringRef what, TypeRange a,
                     TypeRange b) -> LogicalResult {
    if (a.size() != b.size())
      return fail("another number of " + what + "s", Twine(a.size()),
                  Twine(b.size()));
    for (auto [i, types] : llvm::enumerate(llvm::zip_equal(a, b))) {
      auto [typeA, typeB] = types;
      if (typeA == typeB)
        continue;
      std::string textA, textB;
      llvm::raw_string_ostream(textA) << typeA;
      llvm::raw_string_ostream(textB) << typeB;
      return fail("another type of " + what + " " + Twine(i), textA, textB);
    }
    return success();
  };
  if (failed(compare("argument", left.getInputs(), right.getInputs())) ||
      failed(compare("result", left.getResults(), right.getResults())))
    return failure();
  for (unsigned i = 0; i < left.getNumInputs(); ++i)
    if (program.getRepresentatives(i) != against.getRepresentatives(i))
      return fail("argument " + Twine(i) + " varying over other ranks",
                  printVarying(program, i), printVarying(against, i));
  return success();
}

/// Returns the range that the uses of the argument require. If code has
/// replaced these uses, returns the range that they required.
static DrawnRange getRange(func::FuncOp entry, unsigned argument) {
  auto kept = entry.getArgAttrOfType<DenseI64ArrayAttr>(
      argument, rt::MoERTDialect::getRangeAttrName());
  if (kept)
    return {kept[0], kept[1]};
  return findIntegerRange(entry.getArgument(argument));
}

std::vector<DrawnRange> Program::getIntegerRanges(const Program *other) const {
  std::vector<DrawnRange> ranges;
  func::FuncOp own = entry; // because accessors of ops are not const
  for (unsigned i = 0; i < own.getNumArguments(); ++i) {
    DrawnRange range = getRange(own, i);
    if (other) {
      DrawnRange more = getRange(other->entry, i);
      if (more.low)
        range.restrict(*more.low, *more.high);
    }
    ranges.push_back(range);
  }
  return ranges;
}
