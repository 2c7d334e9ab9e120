// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communication in ops of other dialects.

#include "moe/Dialect/Text/Communication.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "moe/Dialect/MoE/AnnotatedCost.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Dialect/Text/StableHLO/Ops.h"
#include "moe/Dialect/Text/Torch/Text.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace moe;

/// Returns true if a name in any spelling contains a collective: `all_to_all`,
/// `AllToAllV`, `ncclAllReduce`, `mpi_allgather`.
static bool namesCollective(StringRef name) {
  std::string plain;
  for (char c : name)
    if (llvm::isAlnum(c))
      plain += llvm::toLower(c);
  return llvm::any_of(
      ArrayRef<StringRef>{"alltoall", "allgather", "allreduce", "reducescatter",
                          "collectivepermute", "collectivebroadcast",
                          "crossreplicasum", "sendrecv"},
      [&](StringRef word) { return StringRef(plain).contains(word); });
}

/// Splits a name into words in lower case: "DeepEP::Dispatch" becomes deep, ep,
/// dispatch.
static SmallVector<std::string> splitWords(StringRef name) {
  SmallVector<std::string> words(1);
  char before = '_';
  for (char c : name) {
    bool isBorder =
        !llvm::isAlnum(c) || (llvm::isUpper(c) && !llvm::isUpper(before));
    if (isBorder && !words.back().empty())
      words.emplace_back();
    if (llvm::isAlnum(c))
      words.back() += llvm::toLower(c);
    before = c;
  }
  if (words.back().empty())
    words.pop_back();
  return words;
}

/// Returns true if the name of an unknown function suggests communication: a
/// collective, a communication library, or the dispatch or combine of experts.
static bool soundsLikeCommunication(StringRef name) {
  if (namesCollective(name))
    return true;
  auto hasOneOf = [words = splitWords(name)](ArrayRef<StringRef> of) {
    return llvm::any_of(words, [&](StringRef word) {
      return llvm::any_of(
          of, [&](StringRef known) { return word.starts_with(known); });
    });
  };
  // Words that end with the name of a library, for example "rccl", are listed,
  // too.
  if (hasOneOf({"a2a", "all2all", "deepep", "hccl", "hybridep", "mscclpp",
                "msccl", "nccl", "nvshmem", "oneccl", "pplx", "rccl", "ucx"}))
    return true;
  return hasOneOf({"combine", "dispatch"}) &&
         (hasOneOf({"expert", "moe", "token"}) ||
          llvm::is_contained(splitWords(name), "ep"));
}

/// Returns true for PyTorch functions that communicate: all of c10d and of
/// functional collectives except waits and barriers, fused collectives and
/// products, and functions of other libraries with names that suggest
/// communication.
static bool isTorchCommunication(StringRef name) {
  if (!name.consume_front("torch."))
    return false;
  auto [space, function] = name.split('.');
  if (space.contains("c10d"))
    return !function.contains("wait") && !function.starts_with("barrier");
  bool isOfPyTorch = llvm::is_contained(
      {"aten", "prim", "prims", "prims_rng", "quantized", "torchvision"},
      space);
  return isOfPyTorch ? namesCollective(function)
                     : soundsLikeCommunication(name);
}

/// Returns the name of a composite without a decomposition if the name suggests
/// communication; empty otherwise.
static StringRef getCompositeCommunication(Operation *op) {
  auto name = dyn_cast_or_null<StringAttr>(op->getAttr("name"));
  return name && soundsLikeCommunication(name.getValue()) && !getCalledBlock(op)
             ? name.getValue()
             : "";
}

/// Returns true for names that mean communication only in their dialect.
static bool isNamedCommunication(StringRef dialect, StringRef name) {
  if (dialect == "stablehlo" || dialect == "mhlo")
    return name == "send" || name == "recv";
  if (dialect == "shard")
    return llvm::is_contained({"broadcast", "gather", "recv", "reduce",
                               "scatter", "send", "shift", "update_halo"},
                              name);
  if (dialect == "mpi")
    return llvm::is_contained(
        {"send", "recv", "isend", "irecv", "reduce", "bcast", "scatter"}, name);
  return false;
}

StringRef moe::getUnreadCommunication(Operation *op) {
  // The traffic of an exchange is known, a symbol does not run, and `gpu`
  // reductions are among threads.
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "moe" || dialect == "gpu" || isa<ExchangeOpInterface>(op) ||
      isa<SymbolOpInterface>(op) || op->hasTrait<OpTrait::IsTerminator>())
    return "";
  StringRef name = op->getName().getStringRef();
  StringRef function = op->getName().stripDialect();
  if (dialect == "torch") {
    StringRef called = getTorchName(op);
    return isTorchCommunication(called) ? called : "";
  }
  if (function == "custom_call") {
    auto target = dyn_cast_or_null<StringAttr>(op->getAttr("call_target_name"));
    return target && soundsLikeCommunication(target.getValue())
               ? target.getValue()
               : "";
  }
  if (function == "composite")
    return getCompositeCommunication(op);
  // An asynchronous exchange is counted at its start; its op may be in a
  // function that is not called otherwise.
  if (function.ends_with("_start") && op->hasAttr("called_computation"))
    return name;
  if (function.ends_with("_done"))
    return "";
  return namesCollective(function) || isNamedCommunication(dialect, function)
             ? name
             : "";
}

Operation *moe::findUntimedCommunication(Operation *root) {
  Operation *found = nullptr;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // A stated time includes all ops inside.
    if (getStatedTimeUs(op))
      return WalkResult::skip();
    if (getUnreadCommunication(op).empty())
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

void moe::warnOfUnreadCommunication(
    Operation *root, llvm::function_ref<std::string(Operation *)> getReason) {
  struct Kind {
    Operation *first;
    int64_t count = 0;
  };
  llvm::StringSet<> reasons;
  llvm::MapVector<std::pair<StringRef, StringRef>, Kind> kinds;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    StringRef name = getUnreadCommunication(op);
    if (name.empty())
      return;
    StringRef reason = reasons.insert(getReason(op)).first->getKey();
    ++kinds.try_emplace({name, reason}, Kind{op}).first->second.count;
  });
  for (const auto &[key, kind] : kinds) {
    const auto &[name, reason] = key;
    InFlightDiagnostic diag = kind.first->emitWarning()
                              << "'" << name
                              << "' is communication that is not read";
    if (!reason.empty())
      diag << ": " << reason;
    if (kind.count > 1)
      diag << " (" << kind.count << " ops)";
    diag.attachNote() << "its bytes and its time are unknown: "
                         "moe-print-volumes lists it as unread, and moe-sim "
                         "refuses the program";
  }
}
