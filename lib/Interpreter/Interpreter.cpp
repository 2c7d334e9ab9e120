// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes programs and prints their results.

#include "moe/Interpreter/Interpreter.h"
#include "ExecutorImpl.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Interpreter/Hashing.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include <unordered_map>

using namespace mlir;
using namespace moe;

static uint64_t getChecksum(const LocalTensor &tensor, const Domain &domain) {
  uint64_t hash = tensor.getShape().size();
  for (int64_t size : tensor.getShape())
    hash = combineHash(hash, size);
  for (Cell cell : tensor.getCells())
    hash = combineHash(hash, domain.getContentHash(cell));
  return hash;
}

/// Prints, for example, `[[1, 2], [3, 4]]`.
static void printCells(raw_ostream &os, const Domain &domain, Type elementType,
                       ArrayRef<int64_t> shape, ArrayRef<Cell> cells) {
  if (cells.empty()) {
    os << "[]";
    return;
  }
  // A dim's bracket opens if the index of this dim and of all inner dims is 0.
  for (auto [i, cell] : llvm::enumerate(cells)) {
    size_t opened = 0, closed = 0, block = 1;
    for (int64_t size : llvm::reverse(shape)) {
      block *= size;
      opened += i % block == 0;
      closed += (i + 1) % block == 0;
    }
    os << (i ? ", " : "");
    for (size_t j = 0; j < opened; ++j)
      os << "[";
    os << domain.print(cell, elementType);
    for (size_t j = 0; j < closed; ++j)
      os << "]";
  }
}

static void printResult(raw_ostream &os, const Domain &domain, unsigned number,
                        Type type, const RankTensors &tensors,
                        bool printValues) {
  // Sets of ranks with equal data, in the order of their lowest rank.
  struct Holders {
    SmallVector<int64_t> ranks;
    uint64_t checksum;
  };
  std::vector<Holders> sets;
  // Checksums by cells and shape, because there may be a million ranks and
  // elements.
  llvm::DenseMap<std::pair<const void *, size_t>, uint64_t> known;
  std::unordered_map<uint64_t, size_t> places;
  for (auto [rank, tensor] : llvm::enumerate(tensors)) {
    auto [it, isNew] = known.try_emplace(
        {tensor.getIdentity(), llvm::hash_combine_range(tensor.getShape())});
    if (isNew)
      it->second = getChecksum(tensor, domain);
    auto [place, isFirst] = places.try_emplace(it->second, sets.size());
    if (isFirst)
      sets.push_back({{}, it->second});
    sets[place->second].ranks.push_back(rank);
  }
  Type elementType = type;
  os << "result " << number << ": " << type;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    elementType = tensor.getElementType();
    if (tensor.getShape() != tensors.front().getShape() &&
        tensor.hasStaticShape())
      os << ", shrunk to " << printShape(tensors.front().getShape());
  }
  os << "\n";
  for (const Holders &set : sets) {
    const LocalTensor &tensor = tensors[set.ranks.front()];
    os << (set.ranks.size() == 1 ? "  rank " : "  ranks ")
       << printRanks(set.ranks) << ": checksum "
       << cost::formatHash(set.checksum);
    if (auto shaped = dyn_cast<RankedTensorType>(type))
      if (!shaped.hasStaticShape())
        os << ", shape " << printShape(tensor.getShape());
    os << "\n";
    if (!printValues)
      continue;
    os << "    ";
    printCells(os, domain, elementType, tensor.getShape(), tensor.getCells());
    os << "\n";
  }
}

static LogicalResult runAndPrint(const Program &program, Domain &domain,
                                 MemoryBudget &budget, const Collapse *collapse,
                                 const InterpreterOptions &options,
                                 raw_ostream &os) {
  FailureOr<std::vector<RankTensors>> results =
      options.symbolic ? execute(program, domain, budget, collapse)
                       : executeValues(program, options, domain, budget);
  if (failed(results))
    return failure();
  if (options.onResults && failed(options.onResults(program, *results)))
    return failure();
  func::FuncOp entry = program.getEntry();
  for (auto [i, tensors] : llvm::enumerate(*results))
    printResult(os, domain, i, entry.getResultTypes()[i], tensors,
                options.printValues);
  return success();
}

FailureOr<std::vector<RankTensors>>
moe::executeValues(const Program &program, const InterpreterOptions &options,
                   Domain &domain, MemoryBudget &budget) {
  return options.executor ? options.executor(program, domain, budget)
                          : execute(program, domain, budget, nullptr);
}

LogicalResult moe::interpret(const Program &program,
                             const InterpreterOptions &options,
                             raw_ostream &os) {
  MemoryBudget budget(options.maxBytes);
  auto printHeader = [&](StringRef what) {
    os << options.backend << ": " << program.getNumRanks() << " ranks, seed "
       << options.arguments.seed << ", " << what << "\n";
  };
  if (!options.symbolic) {
    std::unique_ptr<Domain> domain = createValueDomain(options.arguments);
    domain->setIntegerRanges(program.getIntegerRanges());
    std::string text;
    llvm::raw_string_ostream out(text);
    if (failed(runAndPrint(program, *domain, budget, nullptr, options, out)))
      return failure();
    std::string what =
        options.arguments.specialValues ? "special values" : "values";
    if (options.arguments.magnitude != 1)
      what += ", magnitude " + cost::toText(options.arguments.magnitude);
    printHeader(what);
    os << text;
    return success();
  }
  Collapse collapse(program.getEntry());
  ArgumentNames names = program.getArgumentNames(&collapse);
  for (unsigned sample = 0; sample < options.samples; ++sample) {
    std::unique_ptr<TermDomain> domain =
        createTermDomain(options.arguments.seed, sample, budget, names);
    domain->setIntegerRanges(program.getIntegerRanges());
    std::string text;
    llvm::raw_string_ostream out(text);
    if (failed(runAndPrint(program, *domain, budget, &collapse, options, out)))
      return failure();
    if (sample == 0)
      printHeader("terms");
    if (domain->usedSample())
      os << "routing sample " << sample << "\n";
    os << text;
    for (const auto &[name, count] : domain->getUninterpreted())
      os << "uninterpreted: " << name << " (" << count << ")\n";
    if (!domain->usedSample())
      break;
  }
  return success();
}
