// Ranks are threads, of which a system gives only so many: then none runs, and
// none is waited for. 500 stacks of 8 MB do not fit.
// UNSUPPORTED: sanitizer
// RUN: bash -c "ulimit -s 8192; ulimit -v 3000000; moe-run %s --backend=host; test $? = 2" 2>&1 | FileCheck %s
// RUN: bash -c "ulimit -s 8192; ulimit -v 3000000; moe-profile measure --backend=host --ranks=600 --max-bytes=65536 --seconds-per-size=0.001 -o %t.json; test $? = 2" 2>&1 | FileCheck %s --check-prefix=PROFILE
// RUN: not ls %t.json
// CHECK: error: expected 500 threads, one for each rank, got {{[0-9]+}}: Resource temporarily unavailable (limits: ulimit -u and -v, or limits of a container)
// PROFILE: moe-profile: error: {{.*}}expected 600 threads, one for each rank, got {{[0-9]+}}: Resource temporarily unavailable
moe.mesh @mesh axes ["ep"] shape [500]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
  return %r : tensor<4xf32>
}
