// A process for each rank prints, through rank 0, what threads do; and ends
// with the same exit code on all ranks.

// REQUIRES: moert-mpi
// RUN: split-file %s %t
// RUN: %python %S/Inputs/mpi.py 6 %t/collectives.mlir --print-values
// RUN: %python %S/Inputs/mpi.py 6 %t/collectives.mlir --seed=7
// RUN: %python %S/Inputs/mpi.py 8 %t/layer.mlir
// RUN: %python %S/Inputs/mpi.py 4 %t/plain.mlir --against=%t/drop.mlir
// RUN: %python %S/Inputs/mpi.py 4 %t/plain.mlir --against=%t/wrong.mlir
// RUN: %python %S/Inputs/mpi.py 4 %t/plain.mlir --against=%t/last.mlir
// RUN: %python %S/Inputs/mpi.py 1 %t/alone.mlir --print-values

// Of programs that state no number, each process is a rank.
// RUN: %mpirun 3 moe-run %t/alone.mlir --backend=mpi 2>%t.err | FileCheck %s --check-prefix=ANY
// ANY: mpi: 3 ranks, seed 0, values
// RUN: FileCheck %s --check-prefix=RANKS < %t.err
// RANKS-DAG: moe-run: rank 0 of 3 on mpi, as the launcher's variables say
// RANKS-DAG: moe-run: rank 1 of 3 on mpi, as the launcher's variables say
// RANKS-DAG: moe-run: rank 2 of 3 on mpi, as the launcher's variables say

// What the command line says goes first, and must be what mpirun says.
// RUN: %mpirun 2 sh -c 'moe-run %t/alone.mlir --backend=mpi --world-size=2 --rank=$OMPI_COMM_WORLD_RANK' 2>&1 | FileCheck %s --check-prefix=EXPLICIT
// EXPLICIT-DAG: rank 1 of 2 on mpi, as --rank and --world-size say
// EXPLICIT-DAG: mpi: 2 ranks, seed 0, values
// RUN: not %mpirun 2 moe-run %t/alone.mlir --backend=mpi --world-size=3 --rank=1 2>&1 | FileCheck %s --check-prefix=NOT-MPIRUN
// NOT-MPIRUN-DAG: error: rank 1 cannot join the job: {{.*}}expected rank 0 of 2, as mpirun says, got 1 of 3

// Another number of processes than the module's ranks.
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 %mpirun 3 moe-run %t/plain.mlir --backend=mpi 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run %t/plain.mlir --backend=mpi 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: plain.mlir: expected 4 processes, one for each rank that the module states, got {{[13]}}: start it with mpirun -np 4

// Processes of one job that were not started alike.
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 %mpirun 3 sh -c 'exec moe-run %t/alone.mlir --backend=mpi --seed=$OMPI_COMM_WORLD_RANK' 2>&1 | FileCheck %s --check-prefix=SEEDS
// SEEDS: error: rank {{[012]}}: expected all ranks to have one --seed, got another on rank 1 than on rank 0
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 %mpirun 4 sh -c 'if [ $OMPI_COMM_WORLD_RANK = 3 ]; then exec moe-run %t/drop.mlir --backend=mpi; else exec moe-run %t/plain.mlir --backend=mpi; fi' 2>&1 | FileCheck %s --check-prefix=PROGRAMS
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 %mpirun 2 sh -c 'if [ $OMPI_COMM_WORLD_RANK = 1 ]; then exec moe-run %t/alone.mlir --backend=mpi --entry=main; else exec moe-run %t/alone.mlir --backend=mpi; fi' 2>&1 | FileCheck %s --check-prefix=ENTRIES
// ENTRIES: error: rank {{[01]}}: expected all ranks to have one --entry, got another on rank 1 than on rank 0
// PROGRAMS: error: rank {{[0-3]}}: expected all ranks to have one program, got another on rank 3 than on rank 0

// What fails on one rank ends all of them, within the deadline.
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 %mpirun 2 moe-run %t/mismatch.mlir --backend=mpi --deadline=20 2>&1 | FileCheck %s --check-prefix=MISMATCH
// MISMATCH-DAG: error: rank 0: MOERT_MISMATCH: {{.*}}rank 0 expects 2 rows from rank 0, which sends 1
// MISMATCH-DAG: error: rank 1: MOERT_
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 %mpirun 2 sh -c 'if [ $OMPI_COMM_WORLD_RANK = 1 ]; then moe-run %t/missing --backend=mpi; else moe-run %t/alone.mlir --backend=mpi; fi' 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: moe-run: rank 1:
// ONE-NEXT: moe-run: error: cannot open input file
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 %mpirun 2 moe-run %t/alone.mlir --backend=mpi --max-bytes=4096 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY-COUNT-1: bytes allowed (--max-bytes) are held
// MEMORY-NOT: bytes allowed

//--- collectives.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @main(%x: tensor<6x4x6xbf16>, %i: tensor<6x3xi32> {moe.varying = ["tp"]}) -> (tensor<3x4x12xbf16>, tensor<6x12x6xbf16>, tensor<2x4x6xbf16>, tensor<6x3xi32>, index) {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 2 : tensor<6x4x6xbf16> -> tensor<3x4x12xbf16>
  %c = moe.all_gather %x on <@mesh, ["tp"]> dim 1 : tensor<6x4x6xbf16> -> tensor<6x12x6xbf16>
  %d = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 0 : tensor<6x4x6xbf16> -> tensor<2x4x6xbf16>
  %s = moe.all_reduce %i on <@mesh, ["ep", "tp"]> : tensor<6x3xi32>
  %r = moe.group_rank on <@mesh, ["tp", "ep"]> : index
  return %a, %c, %d, %s, %r : tensor<3x4x12xbf16>, tensor<6x12x6xbf16>, tensor<2x4x6xbf16>, tensor<6x3xi32>, index
}

//--- layer.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<6x8xbf16> {moe.varying = ["ep"]}, %router: tensor<8x8xf32> {moe.varying = []}, %w1: tensor<2x8x4xbf16>, %w2: tensor<2x4x8xbf16>) -> tensor<6x8xbf16> {
  %ids, %w = moe.gate softmax %x, %router top_k 2 : tensor<6x8xbf16>, tensor<8x8xf32> -> tensor<6x2xi32>, tensor<6x2xf32>
  %b, %slots = moe.permute token %x by %ids : tensor<6x8xbf16>, tensor<6x2xi32> -> tensor<4x2x3x8xbf16>, tensor<6x2xi32>
  %d = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x2x3x8xbf16> -> tensor<4x2x3x8xbf16>
  %t = moe.transpose %d [1, 0, 2, 3] : tensor<4x2x3x8xbf16> -> tensor<2x4x3x8xbf16>
  %e = moe.experts gpt %t, %w1, %w2 activation relu : tensor<2x4x3x8xbf16>, tensor<2x8x4xbf16>, tensor<2x4x8xbf16> -> tensor<2x4x3x8xbf16>
  %f = moe.all_reduce %e on <@mesh, ["tp"]> : tensor<2x4x3x8xbf16>
  %u = moe.transpose %f [1, 0, 2, 3] : tensor<2x4x3x8xbf16> -> tensor<4x2x3x8xbf16>
  %c = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x2x3x8xbf16> -> tensor<4x2x3x8xbf16>
  %y = moe.unpermute %c by %slots weights %w : tensor<4x2x3x8xbf16>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<6x8xbf16>
  return %y : tensor<6x8xbf16>
}

//--- plain.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x1x4x8xf32> {moe.varying = ["ep"]}) -> tensor<2x1x4x8xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<2x1x4x8xf32> -> tensor<2x1x4x8xf32>
  return %r : tensor<2x1x4x8xf32>
}

//--- drop.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x1x4x8xf32> {moe.varying = ["ep"]}) -> tensor<2x1x4x8xf32> {
  %d = moe.drop %x on <@mesh, ["tp"]> dim 2 : tensor<2x1x4x8xf32> -> tensor<2x1x2x8xf32>
  %a = moe.all_to_all %d on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x2x8xf32> -> tensor<2x1x2x8xf32>
  %r = moe.all_gather %a on <@mesh, ["tp"]> dim 2 : tensor<2x1x2x8xf32> -> tensor<2x1x4x8xf32>
  return %r : tensor<2x1x4x8xf32>
}

//--- wrong.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x1x4x8xf32> {moe.varying = ["ep"]}) -> tensor<2x1x4x8xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x8xf32> -> tensor<2x1x4x8xf32>
  %s = arith.addf %r, %x : tensor<2x1x4x8xf32>
  return %s : tensor<2x1x4x8xf32>
}

//--- last.mlir
// Only the last rank differs.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x1x4x8xf32> {moe.varying = ["ep"]}) -> tensor<2x1x4x8xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x8xf32> -> tensor<2x1x4x8xf32>
  %i = moe.group_rank on <@mesh, ["ep", "tp"]> : index
  %three = arith.constant 3 : index
  %is = arith.cmpi eq, %i, %three : index
  %s = scf.if %is -> tensor<2x1x4x8xf32> {
    %d = arith.addf %r, %r : tensor<2x1x4x8xf32>
    scf.yield %d : tensor<2x1x4x8xf32>
  } else {
    scf.yield %r : tensor<2x1x4x8xf32>
  }
  return %s : tensor<2x1x4x8xf32>
}

//--- alone.mlir
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = arith.addf %x, %x : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

//--- mismatch.mlir
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<4x3xf32>, %init: tensor<6x3xf32>) -> tensor<6x3xf32> {
  %size = arith.constant dense<[1, 2]> : tensor<2xi32>
  %offset = arith.constant dense<[0, 3]> : tensor<2xi32>
  %from = arith.constant dense<[0, 1]> : tensor<2xi32>
  %got = arith.constant dense<[2, 1]> : tensor<2xi32>
  %r = moe.ragged_all_to_all %x into %init on <@mesh, ["ep"]> send(%from, %size) recv(%offset, %got) : tensor<4x3xf32>, tensor<2xi32> -> tensor<6x3xf32>
  return %r : tensor<6x3xf32>
}
