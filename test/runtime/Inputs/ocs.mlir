// Two ranks, of which the second controls a switch: circuits are changed while
// a copy runs, and data is exchanged when they are there.
func.func @main(%ctx: !moert.context, %x: memref<4xf32>, %y: memref<4xf32>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "inter" inter priority 0
  %c = moert.communicator #moe.replica_groups<dense<[[0, 1]]> : tensor<1x2xi64>> on %s : !moert.comm<2>
  %w = moert.ocs_switch %ctx "region" controller 1
  %m = moert.arena %ctx : memref<64xi8>
  %zero = arith.constant 0 : index
  %b = memref.view %m[%zero][] : memref<64xi8> to memref<4xf32>
  %t = moert.ocs_configure %w circuits dense<[[1, 9], [2, 10], [4, 12]]> : tensor<3x2xi32>
  moert.copy %s %x to %b : memref<4xf32> to memref<4xf32>
  moert.ocs_await %t
  moert.all_to_all %c %b to %y : !moert.comm<2>, memref<4xf32> to memref<4xf32>
  moert.synchronize %s
  %u = moert.ocs_configure %w circuits dense<[[1, 10], [4, 12]]> : tensor<2x2xi32>
  moert.ocs_await %u
  %none = moert.ocs_configure %w circuits dense<> : tensor<0x2xi32>
  moert.ocs_await %none
  return
}
