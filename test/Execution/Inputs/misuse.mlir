// Programs of two ranks that misuse.cpp calls as they are not meant to be.
moe.mesh @mesh axes ["r"] shape [2]

func.func @half(%x: tensor<4xf16>, %y: tensor<2xf16>) -> (tensor<4xf16>, tensor<2xf16>) {
  %a = moe.all_to_all %x on <@mesh, ["r"]> split 0 concat 0 : tensor<4xf16> -> tensor<4xf16>
  return %a, %y : tensor<4xf16>, tensor<2xf16>
}

func.func @single(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = moe.all_to_all %x on <@mesh, ["r"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
  return %a : tensor<4xf32>
}

func.func @empty(%x: tensor<0x3xf32>) -> tensor<0x3xf32> {
  %a = moe.all_gather %x on <@mesh, ["r"]> dim 0 : tensor<0x3xf32> -> tensor<0x3xf32>
  return %a : tensor<0x3xf32>
}
