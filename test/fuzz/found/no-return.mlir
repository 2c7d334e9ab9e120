// A function may end with an op nobody registered, which returns nothing.
// RUN: not moe-run %s 2>&1 | FileCheck %s
// CHECK: error: {{.*}}expected func.return at the end of @f

func.func @f(%x: tensor<4xf32>) {
  "test.end"(%x) : (tensor<4xf32>) -> ()
}
