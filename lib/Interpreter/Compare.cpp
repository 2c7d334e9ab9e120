// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparison and equivalence checks of programs.

#include "ExecutorImpl.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Interpreter/Interpreter.h"
#include "moe/Interpreter/TermTable.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace moe;

llvm::APInt moe::countBytes(const Program &program,
                            const std::vector<RankTensors> &results) {
  llvm::APInt bytes(128, 0);
  for (auto [type, tensors] : llvm::zip_equal(
           func::FuncOp(program.getEntry()).getResultTypes(), results))
    for (const LocalTensor &tensor : tensors) {
      auto shaped = dyn_cast<RankedTensorType>(type);
      Type element = shaped ? shaped.getElementType() : Type(type);
      uint64_t width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
      llvm::APInt own(128, (width + 7) / 8);
      for (int64_t size : program.getRealShape(type, tensor.getShape()))
        own *= llvm::APInt(128, size);
      bytes += own;
    }
  return bytes;
}

/// Returns the collapse factors of a result's dims, taken from its return
/// operand.
static Shape getFactors(const Program &program, unsigned result,
                        const Collapse *collapse) {
  Shape factors;
  func::FuncOp entry = program.getEntry();
  Value value = entry.getBody().front().getTerminator()->getOperand(result);
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    for (unsigned d = 0; d < type.getRank(); ++d)
      factors.push_back(collapse ? collapse->getFactor(value, d) : 1);
  return factors;
}

/// Prints, for example, `result 0, rank 3, index [1,2]`.
static std::string printPlace(const Difference &at, int64_t rank,
                              ArrayRef<int64_t> shape,
                              ArrayRef<int64_t> factors) {
  std::string text =
      "result " + std::to_string(at.result) + ", rank " + std::to_string(rank);
  if (at.element && !shape.empty())
    text += ", index " + printIndex(*at.element, shape, factors);
  return text;
}

/// Prints a difference; `gotOn` and `expectedOn` are appended to the names of
/// the files.
static void printDifference(const Program &program, const Program &against,
                            const Difference &at, int64_t rank,
                            const std::vector<RankTensors> &got,
                            const std::vector<RankTensors> &expected,
                            const Domain &domain, const Collapse *collapse,
                            std::optional<unsigned> sample, StringRef gotOn,
                            StringRef expectedOn, raw_ostream &os) {
  const LocalTensor &a = got[at.result][at.place];
  const LocalTensor &b = expected[at.result][at.place];
  os << "unequal: "
     << printPlace(at, rank, a.getShape(),
                   getFactors(program, at.result, collapse));
  if (sample)
    os << ", routing sample " << *sample;
  os << "\n";
  std::string found, wanted;
  if (at.element) {
    Type type = getElementTypeOrSelf(
        func::FuncOp(program.getEntry()).getResultTypes()[at.result]);
    found = domain.print(a.getCells()[*at.element], type);
    wanted = domain.print(b.getCells()[*at.element], type);
  } else {
    found = "shape " + printShape(a.getShape());
    wanted = "shape " + printShape(b.getShape());
  }
  os << "  expected " << wanted << " as in " << against.getFile() << expectedOn
     << "\n"
     << "  got      " << found << " in " << program.getFile() << gotOn << "\n";
}

void moe::printValueDifference(const Program &program, const Program &against,
                               const InterpreterOptions &options,
                               const Difference &at, int64_t rank,
                               const std::vector<RankTensors> &got,
                               const std::vector<RankTensors> &expected,
                               const Domain &domain, raw_ostream &os) {
  bool isOneBackend = options.againstBackend.empty();
  printDifference(program, against, at, rank, got, expected, domain, nullptr,
                  std::nullopt, isOneBackend ? "" : " on " + options.backend,
                  isOneBackend ? "" : " on " + options.againstBackend, os);
  Type type = getElementTypeOrSelf(
      func::FuncOp(program.getEntry()).getResultTypes()[at.result]);
  if (!options.tolerance.isExact() && at.element && isa<FloatType>(type))
    os << "  which is not " << options.tolerance.getText() << "\n";
}

std::string
moe::printGreatestDifference(const GreatestDifference &greatest, int64_t rank,
                             const std::vector<RankTensors> &expected) {
  const Difference &at = greatest.at;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(
      "%.3g (%.3g relative)", greatest.distance, greatest.share);
  ArrayRef<int64_t> shape = expected[at.result][at.place].getShape();
  return text + " at " +
         printPlace(at, rank, shape, Shape(shape.size(), int64_t(1)));
}

void moe::printEqualValues(const InterpreterOptions &options, int64_t numRanks,
                           const llvm::APInt &bytes, StringRef greatest,
                           raw_ostream &os) {
  std::string how = options.tolerance.getText();
  os << "values: seed " << options.arguments.seed;
  if (options.arguments.specialValues)
    os << " with special values, any NaN equal to any";
  if (options.arguments.magnitude != 1)
    os << ", magnitude " << cost::toText(options.arguments.magnitude);
  os << ", compared " << how << "\n";
  bool isExact = options.tolerance.isExact();
  os << "equal" << (isExact ? "" : " " + how) << ": " << numRanks << " ranks, "
     << llvm::toString(bytes, 10, false) << " bytes";
  if (!isExact)
    os << ", "
       << (greatest.empty() ? "no difference"
                            : "greatest difference " + greatest.str());
  os << "\n";
}

Tolerance moe::getRounding(TypeRange types) {
  bool isNarrow = llvm::any_of(types, [](Type type) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    return element && element.getWidth() < 32;
  });
  return {isNarrow ? 1.6e-2 : 1e-5, 0};
}

void moe::printWithinRounding(const Tolerance &rounding, StringRef greatest,
                              raw_ostream &os) {
  os << "  all is " << rounding.getText() << ", greatest difference "
     << greatest
     << "\n  so it may be a sum taken in another order, as chunks and parts of "
        "the batch take gradients\n  of weights: --tolerance="
     << cost::toText(rounding.relative)
     << " takes those for equal, --symbolic compares what is added up\n";
}

/// Prints a note if results that differ bit for bit agree within rounding.
static void printIfRounding(TypeRange types, const std::vector<RankTensors> &got,
                            const std::vector<RankTensors> &expected,
                            ArrayRef<double> magnitudes, raw_ostream &os) {
  Tolerance rounding = getRounding(types);
  if (findFirstDifference(types, got, expected, rounding, magnitudes))
    return;
  if (auto greatest = findGreatestDifference(types, got, expected, magnitudes))
    printWithinRounding(
        rounding,
        printGreatestDifference(*greatest, greatest->at.place, expected), os);
}

static FailureOr<bool> compareValues(const Program &program,
                                     const Program &against,
                                     const InterpreterOptions &options,
                                     raw_ostream &os) {
  MemoryBudget budget(options.maxBytes);
  std::unique_ptr<Domain> domain = createValueDomain(options.arguments);
  domain->setIntegerRanges(program.getIntegerRanges(&against));
  FailureOr<std::vector<RankTensors>> got =
      executeValues(program, options, *domain, budget);
  if (failed(got))
    return failure();
  InterpreterOptions other = options;
  if (!options.againstBackend.empty())
    other.executor = options.againstExecutor;
  FailureOr<std::vector<RankTensors>> expected =
      executeValues(against, other, *domain, budget);
  if (failed(expected))
    return failure();
  TypeRange types = func::FuncOp(program.getEntry()).getResultTypes();
  std::vector<double> magnitudes = findMagnitudes(types, *expected);
  if (std::optional<Difference> at = findFirstDifference(
          types, *got, *expected, options.tolerance, magnitudes)) {
    printValueDifference(program, against, options, *at, at->place, *got,
                         *expected, *domain, os);
    if (options.tolerance.isExact() && at->element)
      printIfRounding(types, *got, *expected, magnitudes, os);
    return false;
  }
  std::optional<GreatestDifference> greatest;
  if (!options.tolerance.isExact())
    greatest = findGreatestDifference(types, *got, *expected, magnitudes);
  printEqualValues(options, program.getNumRanks(), countBytes(program, *got),
                   greatest ? printGreatestDifference(
                                  *greatest, greatest->at.place, *expected)
                            : "",
                   os);
  return true;
}

static FailureOr<bool> compareTerms(const Program &program,
                                    const Program &against,
                                    const InterpreterOptions &options,
                                    raw_ostream &os) {
  func::FuncOp entries[] = {program.getEntry(), against.getEntry()};
  Collapse collapse(entries);
  ArgumentNames names = program.getArgumentNames(&collapse);
  std::map<std::string, unsigned> uninterpreted;
  uint64_t numTerms = 0;
  // With fewer terms than this, further routings cost almost nothing.
  constexpr uint64_t kFewTerms = 50000;
  unsigned most = std::max(options.samples, options.mostSamples);
  // A program with few tokens has few routings, so draws repeat.
  uint64_t mostDraws = 4 * uint64_t(most) + 16;
  llvm::DenseSet<uint64_t> routings;
  bool sampled = false, repeats = false;
  std::string bytes;
  for (unsigned draw = 0; routings.size() < options.samples ||
                          (routings.size() < most && numTerms < kFewTerms);
       ++draw) {
    if (draw == mostDraws) {
      repeats = true;
      break;
    }
    MemoryBudget budget(options.maxBytes);
    std::unique_ptr<TermDomain> domain =
        createTermDomain(options.arguments.seed, draw, budget, names);
    domain->setIntegerRanges(program.getIntegerRanges(&against));
    FailureOr<std::vector<RankTensors>> got =
        execute(program, *domain, budget, &collapse);
    if (failed(got))
      return failure();
    FailureOr<std::vector<RankTensors>> expected =
        execute(against, *domain, budget, &collapse);
    if (failed(expected))
      return failure();
    sampled = domain->usedSample();
    if (std::optional<Difference> at = findFirstDifference(*got, *expected)) {
      printDifference(program, against, *at, at->place, *got, *expected,
                      *domain, &collapse,
                      sampled ? std::optional<unsigned>(draw) : std::nullopt,
                      /*gotOn=*/"", /*expectedOn=*/"", os);
      if (at->element) {
        const TermTable &table = domain->getTable();
        auto cellOf = [&](const std::vector<RankTensors> &results) {
          return static_cast<Term>(
              results[at->result][at->place].getCells()[*at->element]);
        };
        Term left = cellOf(*expected), right = cellOf(*got);
        auto [a, b] = findDifference(table, left, right);
        if (a != left)
          os << "  where they part:\n    expected "
             << printTerm(table, a, names) << "\n    got      "
             << printTerm(table, b, names) << "\n";
      }
      return false;
    }
    if (!routings.insert(domain->getRouting()).second)
      continue;
    numTerms += domain->getTable().size();
    uninterpreted = domain->getUninterpreted();
    bytes = llvm::toString(countBytes(program, *got), 10, false);
    // No value was drawn, so the result holds for every sample.
    if (!sampled)
      break;
  }
  os << "symbolic: ";
  if (sampled)
    os << routings.size() << " routing samples (seed " << options.arguments.seed
       << ")"
       << (repeats ? llvm::formatv(", all that {0} draws found", mostDraws).str()
                   : "");
  else
    os << "no routing";
  os << ", sums as multisets, " << numTerms << " terms\n";
  for (const auto &[name, count] : uninterpreted)
    os << "uninterpreted: " << name << " (" << count << ")\n";
  os << "equal: " << program.getNumRanks() << " ranks, " << bytes << " bytes\n";
  return true;
}

FailureOr<bool> moe::compare(const Program &program, const Program &against,
                             const InterpreterOptions &options,
                             raw_ostream &os) {
  return options.symbolic ? compareTerms(program, against, options, os)
                          : compareValues(program, against, options, os);
}
