// Options, and what is wrong use of them: exit 2 and a message.

// DEFINE: %{wrong} = %python %S/Inputs/exit_code.py 2 moe-run

// RUN: moe-run --help | FileCheck %s --check-prefix=HELP
// HELP: USAGE: moe-run [options] IN
// HELP: Command-line options of moe-run:
// HELP-EMPTY:
// HELP-NEXT: --address=<HOST:PORT>
// HELP: --against=<IN2>
// HELP: --against-backend=<NAME>
// HELP: --backend=<NAME>
// HELP: --deadline=<SECONDS>
// HELP: --doctor
// HELP: --emulate=<FILE|NAME>
// HELP: --entry=<NAME>
// HELP: --max-bytes=<N>
// HELP: --ocs=<NAME=HOST:PORT[,KEY=VALUE...]>
// HELP: --print-values
// HELP: --rank=<R>
// HELP: --ranks=<N>
// HELP: --repeat=<N>
// HELP: --samples=<N>
// HELP: --seed=<S>
// HELP: --stand-ins
// HELP: --symbolic
// HELP: --tolerance=<REL[,ABS]>
// HELP: --trace=<FILE>
// HELP: --world-size=<N>
// HELP-NOT: {{^ *}}--
// HELP: Generic Options:

// RUN: moe-run --version | FileCheck %s --check-prefix=VERSION
// VERSION: moe-run of moe-mlir {{[0-9]+\.[0-9]+}}

// RUN: moe-run - < %s | FileCheck %s --check-prefix=RUNS
// RUN: moe-run %s --backend=interp --ranks=4 | FileCheck %s --check-prefix=RUNS
// RUNS: interp: 4 ranks, seed 0, values
// RUNS-NEXT: result 0: tensor<2xf32>
// RUNS-NEXT: ranks 0,2: checksum {{[0-9a-f]+}}
// RUNS-NEXT: ranks 1,3: checksum {{[0-9a-f]+}}
// RUNS-NOT: {{.}}

// RUN: %{wrong} 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: expected a program IN, got none; see --help

// RUN: %{wrong} %s --nonsense 2>&1 | FileCheck %s --check-prefix=NONSENSE
// NONSENSE: Unknown command line argument '--nonsense'

// RUN: %{wrong} %s --seed=-1 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: '-1' value invalid

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2xf32> {moe.varying = ["tp"]}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
