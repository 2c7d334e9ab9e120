module {
moe.mesh @mesh axes ["ep"] shape [8]
moe.stream @compute compute
moe.stream @copy copy
moe.stream @intra intra
func.func @concurrent(%x: tensor<1x8192x4096xbf16>, %w: tensor<1x4096x4096xbf16>, %g: tensor<1024x4096xbf16>)
    -> (tensor<1x8192x4096xbf16>, tensor<1024x4096xbf16>) {
  %r:2 = moe.schedule {
    %a, %ta = moe.task @copy "work"[0 of 1] layer "0" phase "bwd" {
      %v = linalg.negf {moe.time_us = 500.0 : f64} ins(%g : tensor<1024x4096xbf16>) outs(%g : tensor<1024x4096xbf16>) -> tensor<1024x4096xbf16>
      moe.yield %v : tensor<1024x4096xbf16>
    } : tensor<1024x4096xbf16>
    %y, %ty = moe.task @compute "experts"[0 of 1] layer "1" phase "fwd" {
      %v = moe.experts gpt %x, %w, %w : tensor<1x8192x4096xbf16>, tensor<1x4096x4096xbf16>, tensor<1x4096x4096xbf16> -> tensor<1x8192x4096xbf16>
      moe.yield %v : tensor<1x8192x4096xbf16>
    } : tensor<1x8192x4096xbf16>
    %s, %ts = moe.task @intra "all_reduce"[0 of 1] layer "0" phase "bwd" {
      %v = moe.all_reduce %a on <@mesh, ["ep"]> : tensor<1024x4096xbf16>
      moe.yield %v : tensor<1024x4096xbf16>
    } : tensor<1024x4096xbf16>
    %b, %tb = moe.task @copy "update"[0 of 1] layer "0" phase "bwd" {
      %v = linalg.negf {moe.time_us = 300.0 : f64} ins(%s : tensor<1024x4096xbf16>) outs(%s : tensor<1024x4096xbf16>) -> tensor<1024x4096xbf16>
      moe.yield %v : tensor<1024x4096xbf16>
    } : tensor<1024x4096xbf16>
    moe.yield %y, %b : tensor<1x8192x4096xbf16>, tensor<1024x4096xbf16>
  } : tensor<1x8192x4096xbf16>, tensor<1024x4096xbf16>
  return %r#0, %r#1 : tensor<1x8192x4096xbf16>, tensor<1024x4096xbf16>
}
}
