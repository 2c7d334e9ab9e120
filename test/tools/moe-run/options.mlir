// Options, and what is wrong use of them: exit 2 and a message.

// DEFINE: %{wrong} = %python %S/Inputs/exit_code.py 2 moe-run

// RUN: moe-run --help | FileCheck %s --check-prefix=HELP
// HELP: USAGE: moe-run [options] IN
// HELP: Generic Options:
// HELP: moe-run options:
// HELP-EMPTY:
// HELP-NEXT: --against=<IN2>
// HELP: --backend=<NAME>
// HELP: --deadline=<SECONDS>
// HELP: --entry=<NAME>
// HELP: --max-bytes=<N>
// HELP: --print-values
// HELP: --ranks=<N>
// HELP: --samples=<N>
// HELP: --seed=<S>
// HELP: --symbolic
// HELP-NOT: {{^ *}}--

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
// NOTHING: Not enough positional command line arguments

// RUN: %{wrong} %s --nonsense 2>&1 | FileCheck %s --check-prefix=NONSENSE
// NONSENSE: Unknown command line argument '--nonsense'

// RUN: %{wrong} %s --seed=-1 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: '-1' value invalid

// RUN: %{wrong} %s --backend=nccl 2>&1 | FileCheck %s --check-prefix=BACKEND
// BACKEND: error: --backend: expected interp or host, got nccl

// RUN: %{wrong} %s --ranks=8 2>&1 | FileCheck %s --check-prefix=RANKS
// RANKS: error: expected --ranks=4, which the module states, got --ranks=8
// RUN: %{wrong} %s --ranks=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: --ranks: expected at least 1, got 0

// RUN: %{wrong} %s --symbolic --samples=0 2>&1 | FileCheck %s --check-prefix=SAMPLES
// SAMPLES: error: --samples: expected at least 1, got 0
// RUN: %{wrong} %s --samples=2 2>&1 | FileCheck %s --check-prefix=VALUES
// VALUES: error: --samples goes with --symbolic
// RUN: %{wrong} %s --print-values --against=%s 2>&1 | FileCheck %s --check-prefix=PRINT
// PRINT: error: --print-values does not go with --against

// RUN: %{wrong} %s --entry= 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: expected a function's name after --entry=, got nothing

// RUN: %{wrong} %t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: cannot open input file '{{.*}}.missing': No such file or directory
// RUN: %{wrong} %s --against=%t.missing 2>&1 | FileCheck %s --check-prefix=MISSING

// RUN: echo 'func.func @main( {' > %t.broken
// RUN: %{wrong} %t.broken 2>&1 | FileCheck %s --check-prefix=PARSE
// RUN: %{wrong} %s --against=%t.broken 2>&1 | FileCheck %s --check-prefix=PARSE
// PARSE: .broken:1:17: error: expected

// RUN: %{wrong} %s --max-bytes=100 2>&1 | FileCheck %s --check-prefix=TABLES
// TABLES: error: executing 4 ranks needs about 1024 bytes for each, and the limit is 100 bytes (--max-bytes)

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2xf32> {moe.varying = ["tp"]}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
