// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s
// RUN: moe-opt %s --canonicalize --cse --symbol-dce | FileCheck %s

// Texts are escaped; modules inside may be for other machines.
// CHECK: module attributes {moe.platform = #moe.platform<"two-nodes", levels ["nvlink": 8, "infiniband": 16], file "machines/two nodes.json", hash "0123456789abcdef">}
// GENERIC: "builtin.module"()
module attributes {moe.platform = #moe.platform<"two-nodes",
    levels ["nvlink": 8, "infiniband": 16], file "machines/two nodes.json",
    hash "0123456789abcdef">} {
  // CHECK: module @inner attributes {moe.platform = #moe.platform<"a\22b\0A", levels ["\C3\A4": 16777216], file "\\", hash "ffffffffffffffff">}
  // GENERIC: moe.platform = #moe.platform<"a\22b\0A", levels ["\C3\A4": 16777216], file "\\", hash "ffffffffffffffff">
  module @inner attributes {moe.platform = #moe.platform<"a\"b\n",
      levels ["\C3\A4": 16777216], file "\\", hash "ffffffffffffffff">} {
  }
}
// GENERIC: moe.platform = #moe.platform<"two-nodes", levels ["nvlink": 8, "infiniband": 16], file "machines/two nodes.json", hash "0123456789abcdef">
