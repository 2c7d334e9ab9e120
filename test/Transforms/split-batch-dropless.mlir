// A sub-batch of a dropless layer has its own counts, and buffers of its size in
// place of the whole ones, which are gone.
// RUN: moe-translate --import-hf-config %moe_src/examples/configs/mixtral-8x7b.json --phase=fwd --routing=dropless --ep=4 --tp=1 --layers=1 --micro-batch=2 --seq-len=64 --hidden-size=16 --expert-ffn-size=32 -o %t.mlir
// RUN: moe-opt %t.mlir --moe-split-batch -o %t.parts.mlir
// RUN: FileCheck %s < %t.parts.mlir
// RUN: moe-run %t.parts.mlir --against=%t.mlir --symbolic | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: 4 ranks

// CHECK:      moe.layer "0" phase "fwd" attributes {moe.sub_batch = 0 : i64} {
// CHECK:        moe.expert_counts %ids : tensor<64x2xi32>
// CHECK:        moe.ragged_plan {{.*}} limit 512 :
// CHECK:        [[ROOM:%.*]] = tensor.empty() : tensor<512x16xbf16>
// CHECK-NEXT:   moe.ragged_all_to_all %rows into [[ROOM]]
// CHECK:        [[BACK:%.*]] = tensor.empty() : tensor<128x16xbf16>
// CHECK-NEXT:   moe.ragged_all_to_all %result into [[BACK]]
// CHECK-NOT:    tensor.empty
// CHECK:      moe.layer "0" phase "fwd" attributes {moe.sub_batch = 1 : i64} {
// CHECK-COUNT-2: tensor.empty()
// CHECK-NOT:  tensor.empty
