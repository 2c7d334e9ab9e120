// RUN: moe-opt %s -moe-decompose-all-to-all=drop-dim=3 | FileCheck %s --check-prefix=DIM
// RUN: moe-opt %s -moe-decompose-all-to-all=drop-axes=dp | FileCheck %s --check-prefix=AXES
// RUN: moe-opt %s -moe-decompose-all-to-all=drop-dim=0 --remarks-filter=.* 2>&1 | FileCheck %s --check-prefix=SPLIT
// RUN: moe-opt %s -moe-decompose-all-to-all=drop-dim=9 --remarks-filter=.* 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not moe-opt %s -moe-decompose-all-to-all=drop-dim=-2 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not moe-opt %s -moe-decompose-all-to-all=drop-axes=cp 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: moe-opt %s -moe-decompose-all-to-all=drop-axes=ep --remarks-filter=.* 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: not moe-opt %s -moe-decompose-all-to-all="mode=drop variant=2dh" 2>&1 | FileCheck %s --check-prefix=VARIANT
// RUN: not moe-opt %s -moe-decompose-all-to-all="mode=hierarchical drop-dim=-1" 2>&1 | FileCheck %s --check-prefix=HIERARCHICAL-DIM
// RUN: not moe-opt %s -moe-decompose-all-to-all="mode=hierarchical drop-axes=tp" 2>&1 | FileCheck %s --check-prefix=HIERARCHICAL-AXES
// RUN: moe-opt %s -moe-decompose-all-to-all="mode=hierarchical variant=1dh" -o /dev/null
// RUN: not moe-opt %s -moe-decompose-all-to-all=mode=fast 2>&1 | FileCheck %s --check-prefix=MODE

moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 2, 4]

// DIM: moe.drop %{{.*}} on <@mesh, ["dp", "tp"]> dim 3
// AXES: moe.drop %{{.*}} on <@mesh, ["dp"]> dim 2
// SPLIT: expected a drop dim that is neither the split nor the concat dim and below rank 4, got 0
// RANGE: expected a drop dim that is neither the split nor the concat dim and below rank 4, got 9
// NEGATIVE: error: moe-decompose-all-to-all: expected drop-dim to be -1 or a dim, got -2
// AXIS: error: moe-decompose-all-to-all: drop-axes names unknown axis "cp"
// OWN: expected an axis to drop over that does not belong to the group of the all-to-all, got ["ep"]
// VARIANT: error: moe-decompose-all-to-all: variant requires mode=hierarchical, got mode=drop
// HIERARCHICAL-DIM: error: moe-decompose-all-to-all: drop-dim requires mode=drop, got mode=hierarchical
// HIERARCHICAL-AXES: error: moe-decompose-all-to-all: drop-axes requires mode=drop, got mode=hierarchical
// MODE: expected one of drop, hierarchical, node-dedup, got 'fast'
func.func @main(%x: tensor<2x3x8x8xf32> {moe.varying = ["ep"]}) -> tensor<2x3x8x8xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x3x8x8xf32> -> tensor<2x3x8x8xf32>
  return %r : tensor<2x3x8x8xf32>
}
