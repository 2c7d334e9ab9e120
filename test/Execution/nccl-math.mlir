// Functions of math on a device are formulas of our own. They give what the
// processor's library gives, but for the last places.

// RUN: moe-run %s --entry=narrow --backend=nccl --stand-ins --against-backend=host --tolerance=1e-6 2>%t.err | FileCheck %s
// RUN: moe-run %s --entry=wide --backend=nccl --stand-ins --against-backend=host --tolerance=1e-14 2>%t.err | FileCheck %s
// CHECK: equal within {{.*}}: 2 ranks

moe.mesh @mesh axes ["ep"] shape [2]
func.func @narrow(%x: tensor<500xf32> {moe.varying = ["ep"]}) -> (tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>) {
  %five = arith.constant dense<5.0> : tensor<500xf32>
  %one = arith.constant dense<1.0> : tensor<500xf32>
  %far = arith.constant dense<1.0e+30> : tensor<500xf32>
  %wide = arith.mulf %x, %five : tensor<500xf32>
  %size = math.absf %wide : tensor<500xf32>
  %above = arith.addf %size, %one : tensor<500xf32>
  %distant = arith.mulf %x, %far : tensor<500xf32>
  %inside = math.sin %x : tensor<500xf32>
  %sin0 = math.sin %wide : tensor<500xf32>
  %cos1 = math.cos %wide : tensor<500xf32>
  %tan2 = math.tan %wide : tensor<500xf32>
  %atan3 = math.atan %wide : tensor<500xf32>
  %asinh4 = math.asinh %wide : tensor<500xf32>
  %cbrt5 = math.cbrt %wide : tensor<500xf32>
  %cosh6 = math.cosh %wide : tensor<500xf32>
  %erf7 = math.erf %wide : tensor<500xf32>
  %erfc8 = math.erfc %wide : tensor<500xf32>
  %exp9 = math.exp %wide : tensor<500xf32>
  %exp210 = math.exp2 %wide : tensor<500xf32>
  %expm111 = math.expm1 %wide : tensor<500xf32>
  %sinh12 = math.sinh %wide : tensor<500xf32>
  %tanh13 = math.tanh %wide : tensor<500xf32>
  %log14 = math.log %above : tensor<500xf32>
  %log215 = math.log2 %above : tensor<500xf32>
  %log1016 = math.log10 %above : tensor<500xf32>
  %log1p17 = math.log1p %above : tensor<500xf32>
  %rsqrt18 = math.rsqrt %above : tensor<500xf32>
  %sqrt19 = math.sqrt %above : tensor<500xf32>
  %acosh20 = math.acosh %above : tensor<500xf32>
  %asin21 = math.asin %inside : tensor<500xf32>
  %acos22 = math.acos %inside : tensor<500xf32>
  %atanh23 = math.atanh %inside : tensor<500xf32>
  %sin24 = math.sin %distant : tensor<500xf32>
  %cos25 = math.cos %distant : tensor<500xf32>
  %atan226 = math.atan2 %wide, %x : tensor<500xf32>
  %powf27 = math.powf %above, %wide : tensor<500xf32>
  return %sin0, %cos1, %tan2, %atan3, %asinh4, %cbrt5, %cosh6, %erf7, %erfc8, %exp9, %exp210, %expm111, %sinh12, %tanh13, %log14, %log215, %log1016, %log1p17, %rsqrt18, %sqrt19, %acosh20, %asin21, %acos22, %atanh23, %sin24, %cos25, %atan226, %powf27 : tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>
}
func.func @wide(%x: tensor<500xf64> {moe.varying = ["ep"]}) -> (tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>) {
  %five = arith.constant dense<5.0> : tensor<500xf64>
  %one = arith.constant dense<1.0> : tensor<500xf64>
  %far = arith.constant dense<1.0e+300> : tensor<500xf64>
  %wide = arith.mulf %x, %five : tensor<500xf64>
  %size = math.absf %wide : tensor<500xf64>
  %above = arith.addf %size, %one : tensor<500xf64>
  %distant = arith.mulf %x, %far : tensor<500xf64>
  %inside = math.sin %x : tensor<500xf64>
  %sin0 = math.sin %wide : tensor<500xf64>
  %cos1 = math.cos %wide : tensor<500xf64>
  %tan2 = math.tan %wide : tensor<500xf64>
  %atan3 = math.atan %wide : tensor<500xf64>
  %asinh4 = math.asinh %wide : tensor<500xf64>
  %cbrt5 = math.cbrt %wide : tensor<500xf64>
  %cosh6 = math.cosh %wide : tensor<500xf64>
  %erf7 = math.erf %wide : tensor<500xf64>
  %erfc8 = math.erfc %wide : tensor<500xf64>
  %exp9 = math.exp %wide : tensor<500xf64>
  %exp210 = math.exp2 %wide : tensor<500xf64>
  %expm111 = math.expm1 %wide : tensor<500xf64>
  %sinh12 = math.sinh %wide : tensor<500xf64>
  %tanh13 = math.tanh %wide : tensor<500xf64>
  %log14 = math.log %above : tensor<500xf64>
  %log215 = math.log2 %above : tensor<500xf64>
  %log1016 = math.log10 %above : tensor<500xf64>
  %log1p17 = math.log1p %above : tensor<500xf64>
  %rsqrt18 = math.rsqrt %above : tensor<500xf64>
  %sqrt19 = math.sqrt %above : tensor<500xf64>
  %acosh20 = math.acosh %above : tensor<500xf64>
  %asin21 = math.asin %inside : tensor<500xf64>
  %acos22 = math.acos %inside : tensor<500xf64>
  %atanh23 = math.atanh %inside : tensor<500xf64>
  %sin24 = math.sin %distant : tensor<500xf64>
  %cos25 = math.cos %distant : tensor<500xf64>
  %atan226 = math.atan2 %wide, %x : tensor<500xf64>
  return %sin0, %cos1, %tan2, %atan3, %asinh4, %cbrt5, %cosh6, %erf7, %erfc8, %exp9, %exp210, %expm111, %sinh12, %tanh13, %log14, %log215, %log1016, %log1p17, %rsqrt18, %sqrt19, %acosh20, %asin21, %acos22, %atanh23, %sin24, %cos25, %atan226 : tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>
}
