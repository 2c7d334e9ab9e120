moe.mesh @mesh axes ["ep"] shape [2]

func.func @main(%ctx: !moert.context, %x: memref<4xf32>, %y: memref<4xf32>)
    attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "inter" inter priority 0
  %c = moert.communicator #moe.group<@mesh, ["ep"]> on %s : <2>
  moert.all_to_all %c %x to %y : <2>, memref<4xf32> to memref<4xf32>
  moert.synchronize %s
  return
}
