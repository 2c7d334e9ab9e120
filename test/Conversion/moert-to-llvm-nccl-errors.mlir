// RUN: moe-opt %s -split-input-file -verify-diagnostics --convert-moert-to-llvm=target=nccl
// RUN: moe-opt %s -split-input-file -verify-diagnostics --convert-moert-to-llvm=target=nccl-stand-ins

// What a device cannot run is refused when compiling, with its place.
func.func private @rest(%a: memref<8xf32>, %b: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%a : memref<8xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    // expected-error@+1 {{'arith.remf' op in the kernel @rest of a 'moert.launch' cannot run on a device: there is no instruction that gives it exactly}}
    %0 = arith.remf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}
func.func @main(%ctx: !moert.context, %x: memref<8xf32>, %y: memref<8xf32>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "inter" inter priority 0
  moert.launch %s "rest" @rest ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  moert.synchronize %s
  return
}

// -----

func.func private @angle(%a: memref<8xf64>, %b: memref<8xf64>) {
  linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%a : memref<8xf64>) outs(%b : memref<8xf64>) {
  ^bb0(%x: f64, %y: f64):
    // expected-error@+1 {{'math.powf' op in the kernel @angle of a 'moert.launch' cannot run on a device: there is neither an instruction nor a formula for it}}
    %0 = math.powf %x, %y : f64
    linalg.yield %0 : f64
  }
  return
}
func.func @main(%ctx: !moert.context, %x: memref<8xf64>, %y: memref<8xf64>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "inter" inter priority 0
  moert.launch %s "angle" @angle ins(%x : memref<8xf64>) outs(%y : memref<8xf64>)
  moert.synchronize %s
  return
}

// -----

func.func private @grows(%a: memref<8xf32>, %i: index, %b: memref<8xf32>) {
  // expected-error@+1 {{the body @grows of 'moert.launch' cannot run on a device: expected tensors of static shape, got one of 'tensor<?xf32>'}}
  %t = memref.alloc(%i) : memref<?xf32>
  %zero = arith.constant 0 : index
  %v = memref.load %a[%zero] : memref<8xf32>
  memref.store %v, %t[%zero] : memref<?xf32>
  %w = memref.load %t[%zero] : memref<?xf32>
  memref.store %w, %b[%zero] : memref<8xf32>
  memref.dealloc %t : memref<?xf32>
  return
}
func.func @main(%ctx: !moert.context, %x: memref<8xf32>, %y: memref<8xf32>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "inter" inter priority 0
  %i = arith.constant 3 : index
  moert.launch %s "grows" @grows ins(%x, %i : memref<8xf32>, index) outs(%y : memref<8xf32>)
  moert.synchronize %s
  return
}

// -----

func.func private @hands(%a: memref<i1>, %b: memref<8xf32>) {
  %zero = arith.constant 0 : index
  %v = arith.constant 0.0 : f32
  %c = memref.load %a[] : memref<i1>
  // expected-error@+1 {{the body @hands of 'moert.launch' cannot run on a device: expected each tensor that loops and branches give on to stay in a place of its own, got one of 'tensor<8xf32>' that may come in another one's, as where scf.for swaps two or scf.if gives one of two}}
  %t = memref.alloc() : memref<8xf32>
  // expected-note@+1 {{it is handed on here}}
  %m = scf.if %c -> memref<8xf32> { scf.yield %t : memref<8xf32> } else { scf.yield %b : memref<8xf32> }
  memref.store %v, %m[%zero] : memref<8xf32>
  return
}
func.func @main(%ctx: !moert.context, %x: memref<i1>, %y: memref<8xf32>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "inter" inter priority 0
  moert.launch %s "hands" @hands ins(%x : memref<i1>) outs(%y : memref<8xf32>)
  moert.synchronize %s
  return
}
