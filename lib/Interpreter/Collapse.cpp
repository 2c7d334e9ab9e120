// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shrinks dims to the elements that represent all others.

#include "moe/Interpreter/Collapse.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

unsigned Collapse::find(unsigned id) const {
  while (classes[id].parent != id)
    id = classes[id].parent = classes[classes[id].parent].parent;
  return id;
}

void Collapse::add(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || firstDim.contains(value))
    return;
  firstDim[value] = classes.size();
  for (int64_t size : type.getShape()) {
    bool dynamic = ShapedType::isDynamic(size);
    classes.push_back(
        {static_cast<unsigned>(classes.size()), dynamic ? 1 : size, dynamic});
  }
}

std::optional<unsigned> Collapse::lookup(Value value, unsigned dim) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || dim >= type.getRank())
    return std::nullopt;
  add(value);
  return find(firstDim[value] + dim);
}

void Collapse::unite(Value a, unsigned dimA, Value b, unsigned dimB) {
  std::optional<unsigned> left = lookup(a, dimA), right = lookup(b, dimB);
  if (!left || !right || *left == *right)
    return;
  Class &into = classes[*left];
  const Class &from = classes[*right];
  into.divisor = std::gcd(into.divisor, from.divisor);
  into.fixed |= from.fixed;
  classes[*right].parent = *left;
}

void Collapse::uniteAll(Value a, Value b) {
  auto left = dyn_cast<RankedTensorType>(a.getType());
  auto right = dyn_cast<RankedTensorType>(b.getType());
  if (!left || !right || left.getRank() != right.getRank()) {
    fixAll(a);
    fixAll(b);
    return;
  }
  for (unsigned d = 0; d < left.getRank(); ++d)
    unite(a, d, b, d);
}

void Collapse::divide(Value value, unsigned dim, int64_t size) {
  if (std::optional<unsigned> id = lookup(value, dim))
    classes[*id].divisor = std::gcd(classes[*id].divisor, size);
}

void Collapse::fix(Value value, unsigned dim) {
  if (std::optional<unsigned> id = lookup(value, dim))
    classes[*id].fixed = true;
}

void Collapse::fixAll(Value value) {
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    for (unsigned d = 0; d < type.getRank(); ++d)
      fix(value, d);
}

int64_t Collapse::getFactor(Value value, unsigned dim) const {
  auto it = firstDim.find(value);
  if (it == firstDim.end())
    return 1;
  const Class &found = classes[find(it->second + dim)];
  // A divisor of 0 means that all sizes are 0, so there is nothing to shrink.
  return found.fixed || found.divisor == 0 ? 1 : found.divisor;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Relates the dims of a slice and of the tensor that contains it.
template <typename OpT, typename UniteFn, typename DivideFn, typename FixFn>
static void visitSlice(OpT op, RankedTensorType whole, UniteFn unite,
                       DivideFn divide, FixFn fix) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  unsigned part = 0;
  for (unsigned d = 0; d < whole.getRank(); ++d) {
    int64_t offset = op.getStaticOffsets()[d], size = op.getStaticSizes()[d];
    bool aligned = !ShapedType::isDynamic(offset) &&
                   !ShapedType::isDynamic(size) &&
                   op.getStaticStrides()[d] == 1;
    if (dropped.test(d)) {
      fix(d, std::nullopt);
      continue;
    }
    if (aligned) {
      unite(d, part);
      divide(d, offset);
      divide(d, size);
    } else {
      fix(d, part);
    }
    ++part;
  }
}

/// In each group of a reshape, relates the single dim to the innermost dim of
/// the group that is not 1, because the other dims only count blocks of it.
template <typename OpT>
static void visitReshape(OpT op, Value single, Value grouped,
                         llvm::function_ref<void(unsigned, unsigned)> unite,
                         llvm::function_ref<void(Value, unsigned)> fix) {
  auto type = cast<RankedTensorType>(grouped.getType());
  for (auto [s, group] : llvm::enumerate(op.getReassociationIndices())) {
    bool found = false;
    for (int64_t d : llvm::reverse(group)) {
      if (!found && (type.getDimSize(d) != 1 || group.size() == 1)) {
        unite(s, d);
        found = true;
      } else {
        fix(grouped, d);
      }
    }
    if (!found)
      fix(single, s);
  }
}

/// Visits ops that cut or join a dim in blocks; returns true if `op` is one.
/// Their other dims are related by their dim map.
bool Collapse::visitBlocks(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<DropOp, ReduceScatterOp, AllGatherOp>([&](auto op) {
        unite(op.getOperand(), op.getDim(), op.getResult(), op.getDim());
        return true;
      })
      .Case([&](AllToAllOp op) {
        unsigned split = op.getSplitDim(), concat = op.getConcatDim();
        unite(op.getOperand(), split, op.getResult(), split);
        unite(op.getOperand(), concat, op.getResult(), concat);
        FailureOr<int64_t> ranks = op.getGroup().getGroupSize(op);
        auto type = cast<RankedTensorType>(op.getOperand().getType());
        if (failed(ranks) || *ranks < 1)
          fix(op.getOperand(), split);
        else if (!type.isDynamicDim(split))
          divide(op.getOperand(), split, type.getDimSize(split) / *ranks);
        return true;
      })
      .Case([&](AssembleOp op) {
        for (Value part : op.getParts())
          unite(part, op.getDim(), op.getResult(), op.getDim());
        return true;
      })
      .Case([&](tensor::ExtractSliceOp op) {
        Value source = op.getSource(), result = op.getResult();
        visitSlice(
            op, op.getSourceType(),
            [&](unsigned d, unsigned part) { unite(source, d, result, part); },
            [&](unsigned d, int64_t size) { divide(source, d, size); },
            [&](unsigned d, std::optional<unsigned> part) {
              fix(source, d);
              if (part)
                fix(result, *part);
            });
        return true;
      })
      .Case([&](tensor::InsertSliceOp op) {
        Value source = op.getSource(), result = op.getResult();
        uniteAll(op.getDest(), result);
        visitSlice(
            op, op.getDestType(),
            [&](unsigned d, unsigned part) { unite(result, d, source, part); },
            [&](unsigned d, int64_t size) { divide(result, d, size); },
            [&](unsigned d, std::optional<unsigned> part) {
              fix(result, d);
              if (part)
                fix(source, *part);
            });
        return true;
      })
      .Case([&](tensor::ExpandShapeOp op) {
        visitReshape(
            op, op.getSrc(), op.getResult(),
            [&](unsigned s, unsigned d) {
              unite(op.getSrc(), s, op.getResult(), d);
            },
            [&](Value value, unsigned d) { fix(value, d); });
        return true;
      })
      .Case([&](tensor::CollapseShapeOp op) {
        visitReshape(
            op, op.getResult(), op.getSrc(),
            [&](unsigned s, unsigned d) {
              unite(op.getResult(), s, op.getSrc(), d);
            },
            [&](Value value, unsigned d) { fix(value, d); });
        return true;
      })
      .Default(false);
}

/// Relates the dims of an op by its dim map and fixes what the map does not
/// describe, unless `visitBlocks` has described it.
void Collapse::visitUses(Operation *op) {
  // `visitBlocks` describes a slice or reshape completely and more precisely.
  bool blocks = visitBlocks(op);
  if (blocks && op->getName().getDialectNamespace() == "tensor")
    return;
  std::optional<DimMap> map = getDimMap(op);
  if (!map) {
    for (Value value : op->getOperands())
      fixAll(value);
    for (Value value : op->getResults())
      fixAll(value);
    return;
  }
  // A dim that an op writes as a whole must have one granularity in all
  // programs. Otherwise equal results that are later read as a whole would be
  // cut into different pieces.
  if (!map->isUniform)
    for (auto [result, dim] : map->opaqueResultDims) {
      Value value = op->getResult(result);
      int64_t size = cast<RankedTensorType>(value.getType()).getDimSize(dim);
      auto [it, isNew] = opaqueDims.try_emplace(
          std::pair(op->getName().getAsOpaquePointer(), size),
          std::pair(value, dim));
      if (!isNew)
        unite(it->second.first, it->second.second, value, dim);
    }
  llvm::SmallSet<std::pair<unsigned, unsigned>, 16> operandDims, resultDims;
  for (const DimLink &link : map->links) {
    if (link.operand >= op->getNumOperands() ||
        link.result >= op->getNumResults())
      continue;
    unite(op->getOperand(link.operand), link.operandDim,
          op->getResult(link.result), link.resultDim);
    operandDims.insert({link.operand, link.operandDim});
    resultDims.insert({link.result, link.resultDim});
  }
  if (blocks)
    return;
  auto fixRest = [&](ValueRange values, auto isKnown) {
    for (auto [i, value] : llvm::enumerate(values))
      if (auto type = dyn_cast<RankedTensorType>(value.getType()))
        for (unsigned d = 0; d < type.getRank(); ++d)
          if (!isKnown(i, d))
            fix(value, d);
  };
  fixRest(op->getOperands(), [&](unsigned i, unsigned d) {
    return operandDims.contains({i, d}) || map->isOpaqueOperandDim(i, d);
  });
  fixRest(op->getResults(), [&](unsigned i, unsigned d) {
    return resultDims.contains({i, d}) || map->isOpaqueResultDim(i, d);
  });
}

void Collapse::visitPipeline(PipelineOp op) {
  Block &body = op.getBody().front();
  // Chunks are blocks of the whole, so every cut is at a sum of their sizes.
  auto relate = [&](Value whole, Value part, int64_t dim) {
    uniteAll(whole, part);
    if (dim < 0)
      return;
    if (op.isStack(whole.getType(), dim)) {
      divide(whole, dim, 1);
      return;
    }
    if (std::optional<ArrayRef<int64_t>> sizes = op.getSizes()) {
      for (int64_t size : *sizes)
        divide(whole, dim, size);
      return;
    }
    int64_t size = op.getChunkedSize() / op.getDegree();
    divide(whole, dim, size);
    if (op.getChunkedSize() % op.getDegree() != 0)
      divide(whole, dim, size + 1);
  };
  for (auto [i, operand] : llvm::enumerate(op.getOperands()))
    relate(operand, body.getArgument(i), op.getSplitDims()[i]);
  for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    relate(op.getResult(i), value, op.getConcatDims()[i]);
}

void Collapse::visit(Operation *op) {
  for (Value result : op->getResults())
    add(result);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value argument : block.getArguments())
        add(argument);
  auto uniteRanges = [&](ValueRange a, ValueRange b) {
    for (auto [left, right] : llvm::zip(a, b))
      uniteAll(left, right);
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<ModuleOp, func::FuncOp, MeshOp, StreamOp>([](Operation *) {})
      .Case<func::ReturnOp, YieldOp, scf::YieldOp, scf::ConditionOp>(
          [](Operation *) {})
      .Case([&](func::CallOp call) {
        auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
            call, call.getCalleeAttr());
        if (!callee || callee.isExternal()) {
          visitUses(call);
          return;
        }
        uniteRanges(call.getOperands(), callee.getArguments());
        callee.walk([&](func::ReturnOp ret) {
          uniteRanges(call.getResults(), ret.getOperands());
        });
      })
      .Case<LayerOp, ScheduleOp, TaskOp>([&](Operation *once) {
        uniteRanges(once->getResults(),
                    once->getRegion(0).front().getTerminator()->getOperands());
      })
      .Case([&](PipelineOp pipeline) { visitPipeline(pipeline); })
      .Case<scf::IfOp, scf::IndexSwitchOp>([&](Operation *branch) {
        for (Region &region : branch->getRegions())
          if (!region.empty())
            uniteRanges(branch->getResults(),
                        region.front().getTerminator()->getOperands());
      })
      .Case([&](scf::ForOp loop) {
        uniteRanges(loop.getResults(), loop.getInitArgs());
        uniteRanges(loop.getResults(), loop.getRegionIterArgs());
        uniteRanges(loop.getResults(), loop.getYieldedValues());
      })
      .Case([&](scf::WhileOp loop) {
        uniteRanges(loop.getInits(), loop.getBeforeArguments());
        uniteRanges(loop.getYieldedValues(), loop.getBeforeArguments());
        uniteRanges(loop.getConditionOp().getArgs(), loop.getAfterArguments());
        uniteRanges(loop.getConditionOp().getArgs(), loop.getResults());
      })
      .Case([&](tensor::DimOp size) {
        // The op reads one dim only, if its index is known.
        APInt dim;
        if (matchPattern(size.getIndex(), m_ConstantInt(&dim)) &&
            dim.getActiveBits() < 32)
          fix(size.getSource(), dim.getZExtValue());
        else
          fixAll(size.getSource());
      })
      .Case([&](GateOp gate) {
        visitUses(gate);
        // Every token has its own choice of experts.
        fixAll(gate.getIds());
        fixAll(gate.getWeights());
      })
      .Default([&](Operation *op) {
        visitUses(op);
        for (Region &region : op->getRegions())
          for (Block &block : region)
            for (Value argument : block.getArguments())
              fixAll(argument);
      });
}

Collapse::Collapse(ArrayRef<func::FuncOp> entries) {
  SmallVector<ModuleOp> modules;
  for (func::FuncOp entry : entries) {
    auto module = entry->getParentOfType<ModuleOp>();
    if (module && !llvm::is_contained(modules, module))
      modules.push_back(module);
  }
  for (ModuleOp module : modules)
    module.walk([&](Operation *op) { visit(op); });

  for (func::FuncOp entry : entries) {
    for (Value argument : entry.getArguments()) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (type && !isa<FloatType>(type.getElementType()))
        fixAll(argument);
    }
    // The programs have the same arguments and results.
    func::FuncOp first = entries.front();
    for (auto [a, b] : llvm::zip(first.getArguments(), entry.getArguments()))
      uniteAll(a, b);
    auto returned = [](func::FuncOp function) {
      SmallVector<func::ReturnOp> returns;
      function.walk([&](func::ReturnOp ret) { returns.push_back(ret); });
      return returns;
    };
    for (func::ReturnOp left : returned(first))
      for (func::ReturnOp right : returned(entry))
        for (auto [a, b] : llvm::zip(left.getOperands(), right.getOperands()))
          uniteAll(a, b);
  }

  // An index along a class represents one r, so no value may have two dims in
  // it.
  for (auto [value, base] : firstDim) {
    llvm::SmallSet<unsigned, 8> seen;
    unsigned rank = cast<RankedTensorType>(value.getType()).getRank();
    for (unsigned d = 0; d < rank; ++d)
      if (!seen.insert(find(base + d)).second)
        classes[find(base + d)].fixed = true;
  }
}
