moe.mesh @mesh axes ["ep", "tp"] shape [8, 8]
moe.stream @inter inter
moe.stream @compute compute
func.func @main(%x: tensor<4096x6144xbf16>) -> tensor<4096x6144xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = moe.schedule {
    %a, %0 = moe.task @inter "dispatch"[0 of 1] layer "0" phase "fwd" {
      %b = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4096x6144xbf16> -> tensor<4096x6144xbf16>
      moe.yield %b : tensor<4096x6144xbf16>
    } : tensor<4096x6144xbf16>
    %e, %1 = moe.task @compute "experts"[0 of 1] layer "0" phase "fwd" {
      %b = scf.for %i = %c0 to %c1 step %c1 iter_args(%y = %a) -> tensor<4096x6144xbf16> {
        scf.yield %y : tensor<4096x6144xbf16>
      } {moe.time_us = 100000.0 : f64}
      moe.yield %b : tensor<4096x6144xbf16>
    } : tensor<4096x6144xbf16>
    %c, %2 = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" {
      %b = moe.all_to_all %e on <@mesh, ["ep"]> split 0 concat 0 : tensor<4096x6144xbf16> -> tensor<4096x6144xbf16>
      moe.yield %b : tensor<4096x6144xbf16>
    } : tensor<4096x6144xbf16>
    moe.yield %c : tensor<4096x6144xbf16>
  } : tensor<4096x6144xbf16>
  return %r : tensor<4096x6144xbf16>
}
