// Bodies as kernels on the CUDA stand-ins give what the host backend gives, but
// for functions of math, which may differ in the last place, and sums of them.

// RUN: moe-run %s --backend=nccl --stand-ins --against-backend=host --tolerance=1e-6,1e-6 2>%t.err | FileCheck %s
// CHECK: equal within {{.*}}: 4 ranks

moe.mesh @mesh axes ["ep"] shape [4]
func.func @main(%x: tensor<37x19xf32> {moe.varying = ["ep"]}, %h: tensor<64x24xbf16> {moe.varying = ["ep"]}, %n: tensor<40xi32> {moe.varying = ["ep"]}) -> (tensor<37x19xf32>, tensor<37xf32>, tensor<64x24xbf16>, tensor<40xf32>, tensor<19x37xf32>) {
  // Elements, of a loop over all.
  %e = math.exp %x : tensor<37x19xf32>
  %t = math.tanh %x : tensor<37x19xf32>
  %y = arith.mulf %e, %t : tensor<37x19xf32>
  // Sums of rows.
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<37xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<37xf32>) -> tensor<37xf32>
  %sum = linalg.reduce { arith.addf } ins(%y : tensor<37x19xf32>) outs(%start : tensor<37xf32>) dimensions = [1]
  // Floats of 16 bits, rounded after every op.
  %h2 = arith.mulf %h, %h : tensor<64x24xbf16>
  %h3 = arith.addf %h2, %h : tensor<64x24xbf16>
  // Integers.
  %c = arith.constant dense<3> : tensor<40xi32>
  %m = arith.muli %n, %c : tensor<40xi32>
  %f = arith.sitofp %m : tensor<40xi32> to tensor<40xf32>
  %turned = tensor.empty() : tensor<19x37xf32>
  %r = linalg.transpose ins(%y : tensor<37x19xf32>) outs(%turned : tensor<19x37xf32>) permutation = [1, 0]
  return %y, %sum, %h3, %f, %r : tensor<37x19xf32>, tensor<37xf32>, tensor<64x24xbf16>, tensor<40xf32>, tensor<19x37xf32>
}
