// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From stage to stage.

//
// Every rank runs the program of its stage: as many layers, with weights of its
// own. What a stage makes goes to the next one, and a gradient to the one
// before: rows that one rank sends to one other, a ragged_all_to_all whose
// sizes are constants of the rank's place.
//
//===----------------------------------------------------------------------===//

#include "ModuleBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace moe;

Value ModuleBuilder::sendToStage(Value rows, StageDirection direction,
                                 StringRef name) {
  auto type = cast<RankedTensorType>(rows.getType());
  auto count = static_cast<int32_t>(type.getDimSize(0));
  int64_t stages = layout.pp;
  GroupAttr pp = group({"pp"});
  auto vector = RankedTensorType::get({stages}, b.getI32Type());
  // What the rank of a stage has for, or gets of, each: all of them for the
  // neighbour at `distance`.
  auto makeSizes = [&](int64_t distance) -> Value {
    SmallVector<int32_t> table(stages * stages, 0);
    for (int64_t stage = 0; stage < stages; ++stage)
      if (int64_t other = stage + distance; other >= 0 && other < stages)
        table[stage * stages + other] = count;
    Value all = arith::ConstantOp::create(
        b, loc(name + ".sizes"),
        DenseElementsAttr::get(
            RankedTensorType::get({stages, stages}, b.getI32Type()),
            ArrayRef<int32_t>(table)));
    Value own =
        DropOp::create(b, loc(name + ".sizes"), all, pp, /*dim=*/0, stages);
    return tensor::CollapseShapeOp::create(
        b, loc(name + ".sizes"), vector, own,
        SmallVector<ReassociationIndices>{{0, 1}});
  };
  int64_t distance = direction == StageDirection::Onwards ? 1 : -1;
  Value offsets = arith::ConstantOp::create(
      b, loc(name + ".offsets"),
      DenseElementsAttr::get(vector, b.getI32IntegerAttr(0)));
  Value sent = makeSizes(distance), received = makeSizes(-distance);
  Value init = arith::ConstantOp::create(
      b, loc(name + ".init"),
      DenseElementsAttr::get(type, b.getZeroAttr(elementType)));
  return RaggedAllToAllOp::create(b, loc(name), type, rows, init, offsets, sent,
                                  offsets, received, pp);
}
