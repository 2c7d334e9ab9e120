// Two norms of what an all-to-all brings; one is enough.
moe.mesh @mesh axes ["ep"] shape [16]

func.func @main(%x: tensor<16x2x256x1024xbf16>) -> tensor<16x2x256x1024xbf16> {
  %y = moe.layer "0" phase "fwd" {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
       : tensor<16x2x256x1024xbf16> -> tensor<16x2x256x1024xbf16>
    %b = "user.norm"(%a) : (tensor<16x2x256x1024xbf16>) -> tensor<16x2x256x1024xbf16>
    %c = "user.norm"(%b) : (tensor<16x2x256x1024xbf16>) -> tensor<16x2x256x1024xbf16>
    %d = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0
       : tensor<16x2x256x1024xbf16> -> tensor<16x2x256x1024xbf16>
    moe.yield %d : tensor<16x2x256x1024xbf16>
  } : tensor<16x2x256x1024xbf16>
  return %y : tensor<16x2x256x1024xbf16>
}
