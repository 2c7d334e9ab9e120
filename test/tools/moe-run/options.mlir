// Options, and what is wrong use of them: exit 2 and a message.

// DEFINE: %{wrong} = %python %S/Inputs/exit_code.py 2 moe-run

// RUN: moe-run --help | FileCheck %s --check-prefix=HELP
// HELP: USAGE: moe-run [options] IN
// HELP: Generic Options:
// HELP: moe-run options:
// HELP-EMPTY:
// HELP-NEXT: --address=<HOST:PORT>
// HELP: --against=<IN2>
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
// HELP: --symbolic
// HELP: --trace=<FILE>
// HELP: --world-size=<N>
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
// NOTHING: error: expected the program IN, got none; see --help

// RUN: %{wrong} %s --nonsense 2>&1 | FileCheck %s --check-prefix=NONSENSE
// NONSENSE: Unknown command line argument '--nonsense'

// RUN: %{wrong} %s --seed=-1 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: '-1' value invalid

// RUN: %{wrong} %s --backend=smoke 2>&1 | FileCheck %s --check-prefix=BACKEND
// BACKEND: error: --backend: expected interp, host, mpi or nccl, got smoke

// RUN: %{wrong} %s --rank=0 --world-size=1 2>&1 | FileCheck %s --check-prefix=PROCESS
// PROCESS: error: --rank goes with --backend=mpi or nccl
// RUN: %{wrong} %s --backend=mpi --rank=0 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: expected both --rank and --world-size, got one of them
// RUN: %{wrong} %s --backend=mpi --rank=4 --world-size=4 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: expected a rank in [0, world size), got rank 4 of 4
// RUN: %{wrong} %s --backend=mpi --address=127.0.0.1:1 2>&1 | FileCheck %s --check-prefix=ADDRESS
// ADDRESS: error: --address goes with --backend=nccl
// RUN: %{wrong} %s --backend=mpi --ranks=4 2>&1 | FileCheck %s --check-prefix=PROCESSES
// PROCESSES: error: --ranks goes with --backend=interp or host
// RUN: %{wrong} %s --repeat=2 2>&1 | FileCheck %s --check-prefix=COMPILED
// COMPILED: error: --repeat goes with --backend=host, mpi or nccl
// RUN: %{wrong} %s --backend=host --repeat=0 2>&1 | FileCheck %s --check-prefix=REPEAT
// REPEAT: error: --repeat: expected 1 to 1000000, got 0
// RUN: %{wrong} %s --backend=host --repeat=99999999999 2>&1 | FileCheck %s --check-prefix=REPEATS
// REPEATS: error: --repeat: expected 1 to 1000000, got 99999999999
// RUN: %{wrong} %s --backend=host --repeat=1 --against=%s 2>&1 | FileCheck %s --check-prefix=TIMES
// TIMES: error: --repeat and --trace print times, not results
// RUN: %{wrong} %s --backend=host --trace= 2>&1 | FileCheck %s --check-prefix=TRACE
// TRACE: error: expected a file after --trace=, got nothing
// RUN: %{wrong} %s --backend=host --trace=- 2>&1 | FileCheck %s --check-prefix=TRACE-STDOUT
// TRACE-STDOUT: error: --trace: expected a file, got '-': times go to standard output
// RUN: %{wrong} - --against=- < %s 2>&1 | FileCheck %s --check-prefix=STDIN
// STDIN: error: --against: expected a file beside IN from standard input, which can be read once, got '-' for both
// RUN: %{wrong} %s --backend=host --emulate=host 2>&1 | FileCheck %s --check-prefix=EMULATE
// EMULATE: error: --emulate goes with --repeat or --trace
// RUN: %{wrong} %s --backend=host --repeat=1 --emulate=no-such 2>&1 | FileCheck %s --check-prefix=PLATFORM
// PLATFORM: error: --emulate: expected {{.*}}no-such

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
