// A program of one rank that changes a circuit, and nothing else.
func.func @main(%ctx: !moert.context, %x: memref<4xf32>, %y: memref<4xf32>) attributes {moert.inputs = 1 : i64} {
  %w = moert.ocs_switch %ctx "region" controller 0
  %t = moert.ocs_configure %w circuits dense<[[1, 9]]> : tensor<1x2xi32>
  moert.ocs_await %t
  return
}
