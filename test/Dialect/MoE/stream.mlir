// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s
// RUN: moe-opt %s | FileCheck %s --check-prefix=EXACT --strict-whitespace
// RUN: moe-opt %s --verify-roundtrip -o /dev/null

// CHECK: moe.stream @inter inter{{$}}
// EXACT:{{^}}  moe.stream @inter inter{{$}}
// GENERIC: "moe.stream"() <{resource = #moe<resource inter>, sym_name = "inter"}> : () -> ()
moe.stream @inter inter
// CHECK-NEXT: moe.stream @intra intra{{$}}
moe.stream @intra intra
// CHECK-NEXT: moe.stream @copy copy{{$}}
moe.stream @copy copy
// CHECK-NEXT: moe.stream @compute compute{{$}}
moe.stream @compute compute

// Several streams of one resource, any name, any attribute.
// CHECK-NEXT: moe.stream @"second inter" inter {color = 1 : i64, sym_visibility = "private"}
moe.stream @"second inter" inter {color = 1 : i64, sym_visibility = "private"}

// What waits for others.
// CHECK-NEXT: moe.stream @last inter priority 3{{$}}
// GENERIC: "moe.stream"() <{priority = 3 : i64, resource = #moe<resource inter>, sym_name = "last"}>
moe.stream @last inter priority 3
// CHECK-NEXT: moe.stream @first intra priority 0 {color = 2 : i64}
moe.stream @first intra priority 0 {color = 2}

// Modules have streams of their own.
module @inner {
  // CHECK: moe.stream @inter copy
  moe.stream @inter copy
}
