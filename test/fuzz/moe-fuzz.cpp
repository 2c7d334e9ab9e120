// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzzes the parser, verifiers and passes.
//
// Checks for any text:
// - parsing and verifying it ends without a crash;
// - a module that verifies survives printing and reading in the pretty form,
//   the generic form and bytecode, and prints the same again;
// - canonicalization and CSE leave it valid;
// - the passes end, and leave it valid if they succeed;
// - a rewritten module gives every rank the same terms, if the interpreter can
//   decide that.

#include "Mutator.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "moe/Analysis/Volumes.h"
#include "moe/Circuits/Register.h"
#include "moe/Compiler/Register.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ParseModule.h"
#include "moe/Interpreter/Interpreter.h"
#include "moe/Transforms/Rules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cstring>
#include <memory>

using namespace mlir;

namespace {

/// Number of inputs per context. Types and attributes live as long as their
/// context, so it must be replaced, but a new context per input would be slow.
constexpr unsigned inputsPerContext = 200;

/// Programs that exceed these ranks, loop iterations or bytes are not compared.
constexpr int64_t proofRanks = 32;
constexpr uint64_t proofTrips = 16;
constexpr uint64_t proofBytes = uint64_t(16) << 20;

std::unique_ptr<MLIRContext> makeContext() {
  auto context =
      std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  // Loads only the dialects of our modules, because crashes in upstream parsers
  // of other dialects are not our concern.
  context->loadDialect<moe::MoEDialect, arith::ArithDialect, func::FuncDialect,
                       scf::SCFDialect, tensor::TensorDialect>();
  // Tests use unregistered ops as sources and sinks.
  context->allowUnregisteredDialects();
  // Discards diagnostics. The handler is part of the context.
  context->printOpOnDiagnostic(false);
  context->getDiagEngine().registerHandler(
      [](Diagnostic &) { return success(); });
  return context;
}

MLIRContext &getContext() {
  static std::unique_ptr<MLIRContext> context;
  static unsigned served = 0;
  if (served++ % inputsPerContext == 0)
    context = makeContext();
  return *context;
}

[[noreturn]] void report(StringRef what, StringRef text) {
  llvm::errs() << "moe-fuzz: " << what << "\n" << text << "\n";
  std::abort();
}

/// Returns true for text that is known to crash upstream's own parser or to
/// exhaust memory (MLIR 22.1), so that the fuzzer does not find it repeatedly.
bool isKnownUpstreamCrash(StringRef text) {
  // tensor.from_elements creates a list with one type per element of the
  // result's type before it checks the operands.
  if (text.contains("from_elements")) {
    size_t digits = 0;
    for (char c : text) {
      digits = llvm::isDigit(c) ? digits + 1 : 0;
      if (digits > 4)
        return true;
    }
  }
  // A dense array with an invalid element type.
  for (StringRef rest = text.split("array<").second; !rest.empty();
       rest = rest.split("array<").second) {
    StringRef element = rest.ltrim().take_while(llvm::isAlnum);
    if (!llvm::is_contained({"i1", "i8", "i16", "i32", "i64", "f32", "f64"},
                            element))
      return true;
  }
  return false;
}

/// Returns true if ops at the top of a module, which need not follow their
/// operands, use themselves or later ops, and if upstream ops are among them.
/// Their folds may follow such a cycle forever (for example, arith.negf of
/// itself).
bool hasUpstreamCircle(ModuleOp module) {
  bool foreign = false, circle = false;
  for (Operation &op : *module.getBody()) {
    foreign |= op.getNumResults() != 0 &&
               !isa_and_nonnull<moe::MoEDialect>(op.getDialect());
    for (Value operand : op.getOperands())
      if (Operation *def = operand.getDefiningOp())
        circle |= !def->isBeforeInBlock(&op);
  }
  return foreign && circle;
}

/// Returns true if an upstream op has an empty name, which the printer writes
/// but the parser rejects. Our ops reject it.
bool hasEmptySymbol(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        auto name =
            op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
        return name && name.empty() ? WalkResult::interrupt()
                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

std::string print(ModuleOp module, bool generic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().printGenericOpForm(generic));
  return text;
}

void checkRoundTrip(ModuleOp module) {
  MLIRContext *context = module.getContext();
  for (bool generic : {false, true}) {
    std::string text = print(module, generic);
    OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(text, context);
    if (!again)
      report("a valid module does not parse again", text);
    std::string second = print(*again, generic);
    if (second != text)
      report("a module prints differently after parsing", text + second);
  }

  // Bytecode cannot distinguish some names of unregistered ops ("moe." and
  // "moe").
  if (module
          .walk([](Operation *op) {
            return op->isRegistered() ? WalkResult::advance()
                                      : WalkResult::interrupt();
          })
          .wasInterrupted())
    return;
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (failed(writeBytecodeToFile(module, os)))
    report("a valid module has no bytecode", print(module, false));
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(bytes, context);
  if (!again)
    report("bytecode does not read back", print(module, false));
  if (print(*again, false) != print(module, false))
    report("bytecode reads back differently", print(module, false));
}

/// Runs the queries that passes make: volumes, dim maps, transposes.
void checkQueries(ModuleOp module) {
  for (const moe::CollectiveVolume &volume : moe::computeVolumes(module))
    (void)volume.getTotalBytes();
  OwningOpRef<ModuleOp> copy = module.clone();
  SmallVector<moe::CollectiveOpInterface> collectives;
  copy->walk([&](Operation *op) {
    (void)moe::getDimMap(op);
    if (auto collective = dyn_cast<moe::CollectiveOpInterface>(op))
      collectives.push_back(collective);
  });
  for (moe::CollectiveOpInterface collective : collectives) {
    OpBuilder builder(collective);
    builder.setInsertionPointAfter(collective);
    (void)collective.buildTranspose(builder, collective->getResult(0));
  }
  if (failed(verify(*copy)))
    report("a transpose is invalid", print(module, false));
}

/// Returns true if the module executes quickly, because all its loops have few
/// iterations.
bool isShort(ModuleOp module) {
  return !module
              .walk([](Operation *op) {
                if (isa<scf::WhileOp, scf::ParallelOp, scf::ForallOp>(op))
                  return WalkResult::interrupt();
                auto loop = dyn_cast<scf::ForOp>(op);
                if (!loop)
                  return WalkResult::advance();
                std::optional<APInt> trips = loop.getStaticTripCount();
                return trips && trips->ule(proofTrips)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Executes every function of two modules on terms or on values, and compares.
void checkEqual(ModuleOp module, ModuleOp rewritten, StringRef pipeline,
                bool symbolic) {
  if (!isShort(module))
    return;
  moe::InterpreterOptions options;
  options.symbolic = symbolic;
  options.samples = options.mostSamples = 1;
  options.maxBytes = proofBytes;
  for (auto function : module.getOps<func::FuncOp>()) {
    StringRef name = function.getName();
    FailureOr<moe::Program> program =
        moe::Program::load(module, "fuzz", name, std::nullopt, proofBytes);
    if (failed(program) || program->getNumRanks() > proofRanks)
      continue;
    // Without a mesh the replica groups define the ranks, and they may vanish
    // with the last collective.
    FailureOr<moe::Program> other = moe::Program::load(
        rewritten, "fuzz", name, program->getNumRanks(), proofBytes);
    if (failed(other) || failed(moe::verifyComparable(*program, *other))) {
      // A program that cannot be executed may be inconsistent about its ranks.
      if (succeeded(moe::interpret(*program, options, llvm::nulls())))
        report(("changed what a function takes or gives: " + pipeline).str(),
               print(module, false));
      continue;
    }
    // Programs without reference semantics, or with too high demands, are not
    // compared.
    FailureOr<bool> equal =
        moe::compare(*program, *other, options, llvm::nulls());
    if (succeeded(equal) && !*equal)
      report(("made an unequal program: " + pipeline).str(),
             print(module, false) + print(rewritten, false));
  }
}

/// Runs a pipeline on a copy and returns the copy, or null if the pipeline
/// fails. The result of a successful pipeline must be valid.
OwningOpRef<ModuleOp> runPipeline(ModuleOp module, StringRef pipeline) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(copy->getContext());
  manager.enableVerifier(false);
  if (failed(parsePassPipeline(pipeline, manager)))
    report("a pipeline of this program does not parse", pipeline);
  if (failed(manager.run(*copy)))
    return nullptr;
  if (failed(verify(*copy)))
    report(("left an invalid module: " + pipeline).str(), print(module, false));
  return copy;
}

/// Folds constants first, which changes terms but no values, so that no later
/// pipeline does.
OwningOpRef<ModuleOp> checkCanonicalization(ModuleOp module) {
  constexpr StringLiteral pipeline = "canonicalize,cse";
  OwningOpRef<ModuleOp> canonical = runPipeline(module, pipeline);
  if (!canonical)
    report("canonicalization failed", print(module, false));
  checkEqual(module, *canonical, pipeline, /*symbolic=*/false);
  return canonical;
}

void checkPipeline(ModuleOp module, StringRef pipeline) {
  if (OwningOpRef<ModuleOp> rewritten = runPipeline(module, pipeline))
    checkEqual(module, *rewritten, pipeline, /*symbolic=*/true);
}

/// Picks one rule of `moe-rewrite-collectives` per input; a long run covers
/// all.
std::string pickRule(StringRef text) {
  ArrayRef<moe::Rule> rules = moe::getRules();
  const moe::Rule &rule = rules[llvm::xxh3_64bits(text) % rules.size()];
  return ("moe-rewrite-collectives{rules=" + rule.name + "}").str();
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  registerTransformsPasses();
  moe::registerCompilerPasses();
  moe::registerCircuitPasses();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // The lexer requires a terminating zero, and stops at one.
  std::string text(reinterpret_cast<const char *>(data), size);
  if (isKnownUpstreamCrash(text))
    return 0;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text),
                             llvm::SMLoc());
  OwningOpRef<ModuleOp> module = moe::parseModule(sources, &getContext());
  if (!module || hasUpstreamCircle(*module) || hasEmptySymbol(*module))
    return 0;
  checkRoundTrip(*module);
  checkQueries(*module);
  OwningOpRef<ModuleOp> canonical = checkCanonicalization(*module);
  for (StringRef pipeline :
       {"moe-verify-collectives", "moe-verify-schedule",
        "moe-print-replication",
        "moe-decompose-all-to-all{mode=drop},canonicalize,cse",
        "moe-decompose-all-to-all{mode=hierarchical variant=1dh}",
        "moe-decompose-all-to-all{mode=hierarchical variant=2dh}",
        "moe-split-mesh-axis{axis=ep inner=2}", "moe-compile{to=decompose}",
        "moe-unpad-exchanges", "moe-split-batch{sub-batches=2}",
        "moe-decompose-all-to-all{mode=node-dedup}", "moe-schedule",
        "moe-pipeline{degree=2 scope=layer},moe-schedule",
        "moe-decompose-all-to-all,moe-pipeline{degree=3},moe-schedule"})
    checkPipeline(*canonical, pipeline);
  checkPipeline(*canonical, pickRule(text));
  return 0;
}

static size_t copyOut(StringRef text, uint8_t *data, size_t maxSize) {
  size_t size = std::min(text.size(), maxSize);
  std::memcpy(data, text.data(), size);
  return size;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  std::string text(reinterpret_cast<char *>(data), size);
  return copyOut(moe::fuzz::Mutator(seed).mutate(std::move(text)), data,
                 maxSize);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *first,
                                            size_t firstSize,
                                            const uint8_t *second,
                                            size_t secondSize, uint8_t *out,
                                            size_t maxSize, unsigned seed) {
  std::string text(reinterpret_cast<const char *>(first), firstSize);
  std::string other(reinterpret_cast<const char *>(second), secondSize);
  return copyOut(moe::fuzz::Mutator(seed).splice(text, other), out, maxSize);
}
