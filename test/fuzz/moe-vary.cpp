// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Varies programs in legal ways, runs the passes that preserve results on each
// variation, and compares the results by values.
//
//   usage: moe-vary --count=N FILE...
//
// The modules of the tests mostly have the shape that moe-translate gives them.
// A user's program has uses, sums and exchanges that no importer writes, and a
// pass that expects the importer's shape may refuse them but must not compute
// something else. Variations are drawn from a seed, so a failure repeats.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "moe/Circuits/Register.h"
#include "moe/Compiler/Register.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ParseModule.h"
#include "moe/Interpreter/Interpreter.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

using namespace mlir;

namespace cl = llvm::cl;

static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("FILE..."));
static cl::opt<unsigned> count("count", cl::init(100), cl::value_desc("N"),
                               cl::desc("Variations of each file (default "
                                        "100)"));

/// Passes that are documented as preserving, alone and in sequence.
static constexpr StringLiteral kPipelines[] = {
    "moe-unpad-exchanges",
    "moe-split-batch{sub-batches=2}",
    "moe-decompose-all-to-all",
    "moe-split-mesh-axis{axis=ep "
    "inner=2},moe-decompose-all-to-all{mode=node-dedup}",
    "moe-split-mesh-axis{axis=ep "
    "inner=2},moe-decompose-all-to-all{mode=hierarchical variant=2dh}",
    "moe-unpad-exchanges,moe-split-mesh-axis{axis=ep "
    "inner=2},moe-decompose-all-to-all{mode=node-dedup}",
    "moe-pipeline{degree=2},moe-schedule",
    "moe-pipeline{degree=2 scope=layer},moe-schedule",
    "moe-rewrite-collectives",
    "moe-unpad-exchanges,moe-pipeline{degree=2 scope=layer}",
    "moe-unpad-exchanges,moe-split-batch{sub-batches=2}",
    "moe-compile{to=schedule}",
};
/// Number of argument seeds for comparing results.
static constexpr uint64_t kSeeds = 8;

namespace {

/// Changes a module into another valid one.
class Variator {
public:
  Variator(ModuleOp module, unsigned seed) : module(module), random(seed) {}

  void vary() {
    for (unsigned i = 0, n = 1 + below(3); i < n; ++i)
      switch (below(8)) {
      case 0:
      case 1:
        dropVarying();
        break;
      case 2:
      case 3:
        insertSum();
        break;
      case 4:
        insertExchange();
        break;
      case 5:
        mixWithEarlier();
        break;
      case 6:
        swapOperands();
        break;
      default:
        negate();
      }
  }

private:
  size_t below(size_t n) { return random() % n; }
  template <typename T> T pick(const std::vector<T> &all) {
    return all.empty() ? T() : all[below(all.size())];
  }
  /// Returns a float tensor produced by an op other than a layer.
  Value pickTensor() {
    std::vector<Value> all;
    module.walk([&](Operation *op) {
      if (op->getNumRegions() == 0)
        for (Value value : op->getResults())
          if (auto type = dyn_cast<RankedTensorType>(value.getType());
              type && isa<FloatType>(type.getElementType()))
            all.push_back(value);
    });
    return pick(all);
  }
  /// Replaces a value with the result of `make`.
  void replace(Value value, llvm::function_ref<Value(OpBuilder &)> make) {
    OpBuilder builder(module.getContext());
    builder.setInsertionPointAfterValue(value);
    Value made = make(builder);
    if (made)
      value.replaceAllUsesExcept(made, made.getDefiningOp());
  }
  /// Returns a group along one or two axes.
  moe::GroupAttr pickGroup() {
    auto meshes = llvm::to_vector(module.getOps<moe::MeshOp>());
    if (meshes.empty())
      return {};
    SmallVector<StringRef> names;
    ArrayAttr axes = meshes.front().getAxes();
    size_t first = below(axes.size()), second = below(axes.size());
    for (size_t i = 0; i < axes.size(); ++i)
      if (i == first || i == second)
        names.push_back(cast<StringAttr>(axes[i]).getValue());
    return moe::GroupAttr::get(
        FlatSymbolRefAttr::get(meshes.front().getSymNameAttr()), names);
  }

  /// Removes the varying attribute of an argument, which may then vary over all
  /// axes.
  void dropVarying() {
    std::vector<std::pair<func::FuncOp, unsigned>> all;
    for (auto function : module.getOps<func::FuncOp>())
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (function.getArgAttr(i, moe::MoEDialect::getVaryingAttrName()))
          all.emplace_back(function, i);
    if (all.empty())
      return;
    auto [function, i] = all[below(all.size())];
    function.removeArgAttr(i, moe::MoEDialect::getVaryingAttrName());
  }
  void insertSum() {
    Value value = pickTensor();
    moe::GroupAttr group = pickGroup();
    if (value && group)
      replace(value, [&](OpBuilder &builder) -> Value {
        return moe::AllReduceOp::create(builder, value.getLoc(),
                                        value.getType(), value, group,
                                        moe::Reduction::Sum);
      });
  }
  /// Inserts another exchange of an exchanged value, over the same group.
  void insertExchange() {
    std::vector<moe::AllToAllOp> all;
    module.walk([&](moe::AllToAllOp op) { all.push_back(op); });
    moe::AllToAllOp op = pick(all);
    if (op && op.getType() == op.getOperand().getType())
      replace(below(2) ? op.getResult() : op.getOperand(),
              [&](OpBuilder &builder) -> Value {
                Operation *clone = op->clone();
                clone->setOperand(0,
                                  below(2) ? op.getResult() : op.getOperand());
                // An exchange before this one cannot read its result.
                if (clone->getOperand(0) == op.getResult())
                  builder.setInsertionPointAfter(op);
                builder.insert(clone);
                return clone->getResult(0);
              });
  }
  void mixWithEarlier() {
    Value value = pickTensor();
    if (!value)
      return;
    Operation *op = value.getDefiningOp();
    std::vector<Value> earlier;
    for (Operation &other : *op->getBlock()) {
      if (&other == op)
        break;
      for (Value result : other.getResults())
        if (result.getType() == value.getType())
          earlier.push_back(result);
    }
    if (Value other = pick(earlier))
      replace(value, [&](OpBuilder &builder) -> Value {
        return arith::AddFOp::create(builder, value.getLoc(), value, other);
      });
  }
  void swapOperands() {
    std::vector<Operation *> all;
    module.walk([&](Operation *op) {
      if (op->getNumOperands() >= 2 &&
          op->getOperand(0).getType() == op->getOperand(1).getType())
        all.push_back(op);
    });
    if (Operation *op = pick(all)) {
      Value first = op->getOperand(0);
      op->setOperand(0, op->getOperand(1));
      op->setOperand(1, first);
    }
  }
  void negate() {
    if (Value value = pickTensor())
      replace(value, [&](OpBuilder &builder) -> Value {
        return arith::NegFOp::create(builder, value.getLoc(), value);
      });
  }

  ModuleOp module;
  std::mt19937 random;
};

} // namespace

/// Runs a pipeline on a copy; returns null if it fails.
static OwningOpRef<ModuleOp> runPipeline(ModuleOp module, StringRef pipeline) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(copy->getContext());
  if (failed(parsePassPipeline(pipeline, manager)))
    llvm::report_fatal_error("a pipeline of this program does not parse");
  return succeeded(manager.run(*copy)) ? std::move(copy) : nullptr;
}

/// Returns true if two programs give the same values, or nullopt if that is
/// undecided.
static std::optional<bool> areEqual(ModuleOp module, ModuleOp other,
                                    uint64_t seed) {
  moe::InterpreterOptions options;
  options.arguments.seed = seed;
  // Sub-batches add gradients in another order.
  options.tolerance = {1e-4, 1e-4};
  FailureOr<moe::Program> expected =
      moe::Program::load(module, "moe-vary", "main", std::nullopt, UINT64_MAX);
  FailureOr<moe::Program> got =
      moe::Program::load(other, "moe-vary", "main", std::nullopt, UINT64_MAX);
  if (failed(expected) || failed(got) ||
      failed(moe::verifyComparable(*got, *expected)))
    return std::nullopt;
  FailureOr<bool> equal = moe::compare(*got, *expected, options, llvm::nulls());
  if (failed(equal))
    return std::nullopt;
  return *equal;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "moe-vary\n");
  registerTransformsPasses();
  moe::registerCompilerPasses();
  moe::registerCircuitPasses();
  uint64_t varied = 0, rewritten = 0, wrong = 0;
  for (const std::string &file : files) {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    context.loadDialect<moe::MoEDialect, arith::ArithDialect, func::FuncDialect,
                        scf::SCFDialect, tensor::TensorDialect>();
    llvm::SourceMgr sources;
    std::string error;
    auto buffer = openInputFile(file, &error);
    if (!buffer) {
      llvm::errs() << "moe-vary: error: " << error << "\n";
      return 2;
    }
    sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
    OwningOpRef<ModuleOp> original = moe::parseModule(sources, &context);
    if (!original)
      return 2;
    // Failures, and programs that do not verify, are expected from here on.
    context.getDiagEngine().registerHandler(
        [](Diagnostic &) { return success(); });
    for (unsigned seed = 0; seed < count; ++seed) {
      OwningOpRef<ModuleOp> module = original->clone();
      if (seed != 0)
        Variator(*module, seed).vary();
      if (failed(verify(*module)) ||
          !runPipeline(*module, "moe-verify-collectives"))
        continue;
      ++varied;
      for (StringRef pipeline : kPipelines) {
        OwningOpRef<ModuleOp> made = runPipeline(*module, pipeline);
        if (!made)
          continue;
        ++rewritten;
        for (uint64_t values = 0; values < kSeeds; ++values) {
          std::optional<bool> equal = areEqual(*module, *made, values);
          if (!equal || *equal) {
            if (!equal)
              break;
            continue;
          }
          ++wrong;
          llvm::outs() << "unequal: " << file << " variation " << seed
                       << " after " << pipeline << ", --seed=" << values << "\n"
                       << *module << "\n";
          break;
        }
      }
    }
  }
  llvm::outs() << varied << " programs, " << rewritten << " rewritten, "
               << wrong << " unequal\n";
  return wrong != 0;
}
