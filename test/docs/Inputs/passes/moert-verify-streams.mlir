func.func @main(%ctx: !moert.context, %x: memref<4xf32>, %y: memref<4xf32>)
    attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "s" copy priority 0
  %t = moert.stream %ctx "t" copy priority 0
  %e = moert.event %ctx
  %m = moert.arena %ctx : memref<64xi8>
  %zero = arith.constant 0 : index
  %b = memref.view %m[%zero][] : memref<64xi8> to memref<4xf32>
  moert.record %e on %s
  moert.copy %s %x to %b : memref<4xf32> to memref<4xf32>
  moert.wait %t for %e
  moert.copy %t %b to %y : memref<4xf32> to memref<4xf32>
  return
}
