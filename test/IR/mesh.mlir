// RUN: moe-opt %s | moe-opt | FileCheck %s

// CHECK: moe.mesh @mesh axes ["dp", "ep", "tp"] shape [1, 2, 8]
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [1, 2, 8]
