// What memory cannot hold is said before any of it is drawn, so that a mesh of
// a million ranks is refused at once; what ranks hold alike is held once.
// RUN: not moe-run %s --entry=much --max-bytes=8000000000 2>&1 | FileCheck %s --check-prefix=MUCH
// RUN: moe-run %s --entry=alike --max-bytes=2000000000 | FileCheck %s --check-prefix=ALIKE
// MUCH: many-ranks.mlir:[[@LINE+5]]:1: error: 'func.func' op needs 17592186044416 bytes for its arguments on 1048576 ranks, and 0 of the 8000000000 bytes allowed (--max-bytes) are held
// ALIKE: ranks 0-1048575: checksum

moe.mesh @mesh axes ["ep"] shape [1048576]

func.func @much(%x: tensor<1048576x2xf32>) -> tensor<1048576x2xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<1048576x2xf32> -> tensor<1048576x2xf32>
  return %a : tensor<1048576x2xf32>
}
func.func @alike(%x: tensor<1048576x2xf32> {moe.varying = []}) -> tensor<1048576x2xf32> {
  return %x : tensor<1048576x2xf32>
}
