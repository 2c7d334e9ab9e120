// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of layer variants.

#include "moe/Compiler/LayerVariant.h"
#include "moe/Compiler/Decision.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace moe;

/// Returns the name of an algorithm in names of variants.
static std::string getAlgorithmName(AllToAllAlgorithm exchange) {
  return exchange == AllToAllAlgorithm::NodeDedup ? "node-dedup"
                                                  : getEnumName(exchange).str();
}

std::string LayerVariant::getName() const {
  std::string drop;
  if (dropDim)
    drop = !scope ? "o1" : copies == CopyPlacement::Intra ? "o2" : "o3";
  if (exchange == AllToAllAlgorithm::Flat)
    return dropDim ? drop : scope ? "chunked" : "baseline";
  std::string name = getAlgorithmName(exchange);
  return drop.empty() ? name : name + "+" + drop;
}

std::string LayerVariant::describeRow() const {
  if (!scope)
    return getName();
  return getName() +
         (*scope == ChainScope::Layer ? ", whole layer" : ", communication");
}

std::string LayerVariant::describe() const {
  std::string text = describeRow();
  if (scope)
    text += " in " + std::to_string(chunks) + " chunks";
  if (dropDim)
    text += ", slice along dim " + std::to_string(*dropDim);
  return text;
}

std::vector<VariantTerm> LayerVariant::getTerms() const {
  std::vector<VariantTerm> terms;
  if (exchange != AllToAllAlgorithm::Flat)
    terms.push_back({getAlgorithmName(exchange),
                     "all-to-all: " + getEnumMeaning(exchange).str()});
  if (!dropDim) {
    if (isBaseline())
      terms.push_back({"baseline", "the exchanges of the program, unchanged"});
    else if (exchange == AllToAllAlgorithm::Flat)
      terms.push_back({"chunked", "exchanges in chunks that overlap with "
                                  "compute on other chunks"});
  } else if (!scope) {
    terms.push_back({"o1", "slice, all-to-all, all-gather: ranks that hold the "
                           "same rows each send a part and gather the rest "
                           "inside the node"});
  } else if (copies == CopyPlacement::Intra) {
    terms.push_back({"o2", "o1 in chunks; all-gathers and copies share a "
                           "stream"});
  } else {
    terms.push_back({"o3", "o1 in chunks; all-to-alls, all-gathers and copies "
                           "have a stream each"});
  }
  if (scope)
    terms.push_back(
        *scope == ChainScope::Layer
            ? VariantTerm{"whole layer in N chunks",
                          "exchanges and the compute between them are chunked"}
            : VariantTerm{
                  "communication in N chunks",
                  "only exchanges are chunked, not the compute between them"});
  if (dropDim)
    terms.push_back(
        {"slice along dim D", "the dim that the ranks of a node slice"});
  return terms;
}

std::string LayerVariant::str() const {
  if (*this == LayerVariant())
    return "baseline";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator space(" ");
  if (exchange != AllToAllAlgorithm::Flat)
    os << space << "exchange=" << getEnumName(exchange);
  if (dropDim)
    os << space << "drop=" << *dropDim;
  if (scope)
    os << space << "scope=" << getEnumName(*scope);
  if (chunks != 1)
    os << space << "chunks=" << chunks;
  if (!sizes.empty()) {
    os << space << "sizes=[";
    llvm::interleave(sizes, os, ",");
    os << "]";
  }
  if (!order.empty())
    os << space << "order=" << order;
  if (copies != CopyPlacement::Own)
    os << space << "copies=" << stringifyCopyPlacement(copies);
  return text;
}

LogicalResult moe::emitImpossible(LayerOp layer, const LayerVariant &form,
                                  StringRef reason) {
  return layer.emitError() << "layer " << layer.getName()
                           << ": expected a possible variant, got "
                           << form.str() << ": " << reason;
}

llvm::raw_ostream &moe::operator<<(llvm::raw_ostream &os,
                                   const LayerVariant &form) {
  return os << form.str();
}
