// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs executed from C.

#include "Handles.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moe/Execution/ThreadExecution.h"
#include "moe/Interpreter/ElementBytes.h"
#include "moe/Interpreter/Interpreter.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace mlir;
using namespace moe;

namespace {
/// One result of all ranks.
struct OwnedArray {
  std::string type;
  std::vector<int64_t> shape;
  std::vector<char> bytes;
};
} // namespace

struct MoeResults {
  std::vector<OwnedArray> arrays;
};

static constexpr uint64_t kMaxBytes = uint64_t(1) << 30;

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  type.print(os);
  return text;
}

static Type getElement(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

static std::string printShape(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, size] : llvm::enumerate(shape))
    text += (i ? ", " : "") + std::to_string(size);
  return text + "]";
}

/// Checks an array and binds it to an argument; returns the error, if any.
static std::string give(const MoeInput &input, const Program &program,
                        ArgumentOptions &arguments) {
  func::FuncOp entry = program.getEntry();
  int64_t count = entry.getNumArguments();
  if (input.argument < 0 || input.argument >= count)
    return "expected an argument in [0, " + std::to_string(count) + "), got " +
           std::to_string(input.argument);
  std::string who = "argument " + std::to_string(input.argument) + ": ";
  auto number = static_cast<unsigned>(input.argument);
  Type type = entry.getArgumentTypes()[number];
  Type element = getElement(type);
  const MoeArray &array = input.array;
  if (!array.type || !array.data || (array.rank > 0 && !array.shape))
    return who + "expected an array with type, shape and data, got a NULL";
  if (printType(element) != array.type)
    return who + "expected elements of type " + printType(element) + ", got " +
           array.type;
  FailureOr<int64_t> bytes = rt::getElementBytes(element);
  if (failed(bytes))
    return who + "expected elements of whole bytes, got " + printType(element);
  SmallVector<int64_t> shape;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    shape.append(tensor.getShape().begin(), tensor.getShape().end());
  int64_t ranks = program.getNumRanks();
  SmallVector<int64_t> ofRanks = {ranks};
  ofRanks.append(shape);
  ArrayRef<int64_t> given(array.shape, array.rank);
  bool hasRanks = given == ArrayRef<int64_t>(ofRanks);
  if (!hasRanks && given != ArrayRef<int64_t>(shape))
    return who + "expected shape " + printShape(shape) +
           ", the same on every rank, or " + printShape(ofRanks) +
           " with the ranks as its first dim, got " + printShape(given);
  std::optional<int64_t> cells = countElements(shape);
  if (!cells)
    return who + "expected a static shape that fits memory, got " +
           printShape(shape);
  int64_t own = *cells * *bytes;
  const char *data = static_cast<const char *>(array.data);
  std::vector<int64_t> representatives = program.getRepresentatives(number);
  for (int64_t rank = 0; hasRanks && rank < ranks; ++rank)
    if (std::memcmp(data + rank * own, data + representatives[rank] * own,
                    own) != 0)
      return who + "expected the same data on ranks " +
             std::to_string(representatives[rank]) + " and " +
             std::to_string(rank) +
             ", which do not differ in the axes of moe.varying; got other "
             "data";
  arguments.given[number] = [=](int64_t rank, MutableArrayRef<Cell> into) {
    decodeCells(element, data + (hasRanks ? rank * own : 0), into);
  };
  return "";
}

/// Stores a result of all ranks, which must have the same shape; returns the
/// error, if any.
static std::string take(size_t number, Type type, const RankTensors &tensors,
                        OwnedArray &array) {
  Type element = getElement(type);
  ArrayRef<int64_t> first = tensors.front().getShape();
  array.type = printType(element);
  array.shape = {static_cast<int64_t>(tensors.size())};
  array.shape.insert(array.shape.end(), first.begin(), first.end());
  FailureOr<int64_t> bytes = rt::getElementBytes(element);
  std::string who = "result " + std::to_string(number) + ": ";
  if (failed(bytes))
    return who + "expected elements of whole bytes, got " + array.type;
  for (auto [rank, own] : llvm::enumerate(tensors)) {
    if (own.getShape() != first)
      return who + "expected one shape on all ranks, got " + printShape(first) +
             " on rank 0 and " + printShape(own.getShape()) + " on rank " +
             std::to_string(rank);
    size_t at = array.bytes.size();
    array.bytes.resize(at + own.getCells().size() * *bytes);
    encodeCells(element, own.getCells(), array.bytes.data() + at);
  }
  return "";
}

MoeResults *moeModuleRun(const MoeModule *module, const MoeInput *inputs,
                         size_t num_inputs, const MoeRunOptions *options) {
  MoeContext &context = module->context;
  MoeRunOptions chosen = {};
  if (options) {
    if (options->size != sizeof(MoeRunOptions)) {
      context.fail("expected run options of " +
                   llvm::Twine(sizeof(MoeRunOptions)) + " bytes, got " +
                   llvm::Twine(options->size));
      return nullptr;
    }
    chosen = *options;
  }
  StringRef backend = chosen.backend ? chosen.backend : "interp";
  if (backend != "interp" && backend != "host") {
    context.fail("expected the backend interp or host, got '" + backend + "'");
    return nullptr;
  }
  uint64_t maxBytes = chosen.max_bytes ? chosen.max_bytes : kMaxBytes;
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>((*module->module)->clone()));
  FailureOr<Program> program = Program::load(
      *copy, "module", chosen.entry ? chosen.entry : "",
      chosen.ranks ? std::optional(chosen.ranks) : std::nullopt, maxBytes);
  if (failed(program))
    return nullptr;
  InterpreterOptions interpreter;
  interpreter.maxBytes = maxBytes;
  interpreter.arguments.seed = chosen.seed;
  for (size_t i = 0; i < num_inputs; ++i)
    if (std::string problem = give(inputs[i], *program, interpreter.arguments);
        !problem.empty()) {
      context.fail(problem);
      return nullptr;
    }
  if (backend == "host")
    interpreter.executor = [](const Program &program, Domain &domain,
                              MemoryBudget &budget) {
      return executeOnThreads(program, domain, budget, {});
    };
  MemoryBudget budget(maxBytes);
  std::unique_ptr<Domain> domain = createValueDomain(interpreter.arguments);
  domain->setIntegerRanges(program->getIntegerRanges());
  FailureOr<std::vector<RankTensors>> executed =
      executeValues(*program, interpreter, *domain, budget);
  if (failed(executed))
    return nullptr;
  auto results = std::make_unique<MoeResults>();
  func::FuncOp entry = program->getEntry();
  for (auto [i, tensors] : llvm::enumerate(*executed))
    if (std::string problem = take(i, entry.getResultTypes()[i], tensors,
                                   results->arrays.emplace_back());
        !problem.empty()) {
      context.fail(problem);
      return nullptr;
    }
  return results.release();
}

size_t moeResultsGetCount(const MoeResults *results) {
  return results->arrays.size();
}

MoeStatus moeResultsGet(const MoeResults *results, size_t index,
                        MoeArray *array) {
  if (index >= results->arrays.size())
    return MOE_FAILURE;
  const OwnedArray &own = results->arrays[index];
  *array = {own.type.c_str(), static_cast<int64_t>(own.shape.size()),
            own.shape.data(), own.bytes.data()};
  return MOE_SUCCESS;
}

void moeResultsDestroy(MoeResults *results) { delete results; }

int moeModuleProve(const MoeModule *module, const MoeModule *against,
                   unsigned samples, uint64_t seed, char **report) {
  if (report)
    *report = nullptr;
  MoeContext &context = module->context;
  if (&against->context != &context || samples == 0) {
    context.fail(samples == 0 ? "expected at least one sample, got none"
                              : "expected modules of one context, got two");
    return -1;
  }
  OwningOpRef<ModuleOp> one(cast<ModuleOp>((*module->module)->clone()));
  OwningOpRef<ModuleOp> other(cast<ModuleOp>((*against->module)->clone()));
  FailureOr<Program> program =
      Program::load(*one, "module", "", std::nullopt, kMaxBytes);
  if (failed(program))
    return -1;
  FailureOr<Program> expected =
      Program::load(*other, "against", "", std::nullopt, kMaxBytes);
  if (failed(expected) || failed(verifyComparable(*program, *expected)))
    return -1;
  InterpreterOptions options;
  options.symbolic = true;
  options.samples = samples;
  options.maxBytes = kMaxBytes;
  options.arguments.seed = seed;
  std::string text;
  llvm::raw_string_ostream os(text);
  FailureOr<bool> equal = compare(*program, *expected, options, os);
  if (failed(equal))
    return -1;
  if (report)
    *report = moe::capi::makeString(text);
  return *equal;
}
