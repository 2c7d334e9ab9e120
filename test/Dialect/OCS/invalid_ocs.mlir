// RUN: moe-opt %s -split-input-file -verify-diagnostics

// Names.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
// expected-error@+1 {{expected names that are not empty}}
ocs.fabric @"" on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0

// -----

// Names.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
// expected-error@+1 {{expected names that are not empty}}
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "" controller 0

// -----

// Ports.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
// expected-error@+1 {{expected 0 to 4096 optical ports a server, got -1}}
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical -1 eps 1 split switch "s" controller 0

// -----

// Ports.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
// expected-error@+1 {{expected 0 to 4096 network cards on EPS a server, got 4097}}
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 4097 split switch "s" controller 0

// -----

// Ports.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
// expected-error@+1 {{expected servers with optical ports or network cards on EPS, got neither}}
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 0 eps 0 split switch "s" controller 0

// -----

// The mesh.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
// expected-error@+1 {{expected @other to name a moe.mesh}}
ocs.fabric @f on @other server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0

// -----

// Axes of the mesh.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
// expected-error@+1 {{expected axes of mesh @mesh, got "pp"}}
ocs.fabric @f on @mesh server ["tp"] region ["pp"] optical 3 eps 1 split switch "s" controller 0

// -----

// Each axis once.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
// expected-error@+1 {{expected each axis once, got "ep" a second time}}
ocs.fabric @f on @mesh server ["ep", "tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0

// -----

// In order.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
// expected-error@+1 {{expected the axes of a region in the order of the mesh, got "dp" behind "ep"}}
ocs.fabric @f on @mesh server ["tp"] region ["ep", "dp"] optical 3 eps 1 split switch "s" controller 0

// -----

// Ranks of a server are neighbours.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
// expected-error@+1 {{expected a server of ranks one after the other, got axis "tp" behind its axis "ep"}}
ocs.fabric @f on @mesh server ["ep"] region ["dp"] optical 3 eps 1 split switch "s" controller 0

// -----

// A region has pairs.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
// expected-error@+1 {{expected at least 2 servers in a region, got 1}}
ocs.fabric @f on @mesh server ["tp"] region [] optical 3 eps 1 split switch "s" controller 0

// -----

// The controller is one of a region.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
// expected-error@+1 {{expected a controller in [0, 8), the ranks of a region, got 8}}
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 8

// -----

// One controller a region.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
// expected-note@+1 {{the other fabric is declared here}}
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0
// expected-error@+1 {{expected one fabric in a module, so that a region has one controller}}
ocs.fabric @g on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 1

// -----

// Circuits of all servers.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0
moe.stream @ocs inter
func.func @f1() {
  %c = arith.constant dense<0> : tensor<2x2xi32>
  moe.schedule {
    moe.task @ocs "t"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{expected circuits [4, 4] or [2, 4, 4] of the fabric's servers and regions, got 'tensor<2x2xi32>'}}
      ocs.reconfigure @f to %c : tensor<2x2xi32>
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// Circuits of all regions.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0
moe.stream @ocs inter
func.func @f1() {
  %c = arith.constant dense<0> : tensor<3x4x4xi32>
  moe.schedule {
    moe.task @ocs "t"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{expected circuits [4, 4] or [2, 4, 4] of the fabric's servers and regions, got 'tensor<3x4x4xi32>'}}
      ocs.reconfigure @f to %c : tensor<3x4x4xi32>
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// At least none.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0
moe.stream @ocs inter
func.func @f1() {
  %c = arith.constant dense<[[0,-1,0,0],[-1,0,0,0],[0,0,0,0],[0,0,0,0]]> : tensor<4x4xi32>
  moe.schedule {
    moe.task @ocs "t"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{expected at least 0 circuits at [0, 1], got -1}}
      ocs.reconfigure @f to %c : tensor<4x4xi32>
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// None of a server with itself.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0
moe.stream @ocs inter
func.func @f1() {
  %c = arith.constant dense<[[0,0,0,0],[0,0,0,0],[0,0,1,0],[0,0,0,0]]> : tensor<4x4xi32>
  moe.schedule {
    moe.task @ocs "t"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{expected no circuits of a server with itself, got 1 at [2, 2]}}
      ocs.reconfigure @f to %c : tensor<4x4xi32>
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// Full duplex.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0
moe.stream @ocs inter
func.func @f1() {
  %c = arith.constant dense<[[0,2,0,0],[1,0,0,0],[0,0,0,0],[0,0,0,0]]> : tensor<4x4xi32>
  moe.schedule {
    moe.task @ocs "t"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{expected as many circuits at [0, 1] as at [1, 0], got 2 and 1}}
      ocs.reconfigure @f to %c : tensor<4x4xi32>
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// The budget of ports.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
// expected-note@+1 {{the fabric is declared here}}
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0
moe.stream @ocs inter
func.func @f1() {
  %c = arith.constant dense<[[0,2,0,0],[2,0,2,0],[0,2,0,0],[0,0,0,0]]> : tensor<4x4xi32>
  moe.schedule {
    moe.task @ocs "t"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{expected at most 3 circuits at server 1, which has so many optical ports, got 4}}
      ocs.reconfigure @f to %c : tensor<4x4xi32>
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// The budget of ports, in one region.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
// expected-note@+1 {{the fabric is declared here}}
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0
moe.stream @ocs inter
func.func @f1() {
  %c = arith.constant dense<[[[0,1,0,0],[1,0,0,0],[0,0,0,0],[0,0,0,0]],[[0,4,0,0],[4,0,0,0],[0,0,0,0],[0,0,0,0]]]> : tensor<2x4x4xi32>
  moe.schedule {
    moe.task @ocs "t"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{expected at most 3 circuits at server 0 of region 1, which has so many optical ports, got 4}}
      ocs.reconfigure @f to %c : tensor<2x4x4xi32>
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// The fabric is declared.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0
moe.stream @ocs inter
func.func @f1() {
  %c = arith.constant dense<0> : tensor<4x4xi32>
  moe.schedule {
    moe.task @ocs "t"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{expected @mesh to name an ocs.fabric}}
      ocs.await @mesh
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// Something to route.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0
moe.stream @ocs inter
func.func @f1() {
  %c = arith.constant dense<0> : tensor<4x4xi32>
  moe.schedule {
    // expected-note@+1 {{the task is here}}
    moe.task @ocs "t"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{expected an exchange between ranks in its task}}
      ocs.route @f over %c : tensor<4x4xi32>
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// One route.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0
moe.stream @ocs inter
func.func @f1() {
  %c = arith.constant dense<0> : tensor<4x4xi32>
  moe.schedule {
    moe.task @ocs "t"[0 of 1] layer "0" phase "fwd" {
      // expected-note@+1 {{the other one is here}}
      ocs.route @f over %c : tensor<4x4xi32>
      // expected-error@+1 {{expected one ocs.route in a task}}
      ocs.route @f over %c : tensor<4x4xi32>
      %x = arith.constant dense<0> : tensor<1xi32>
      %y = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<1xi32>
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// In tasks only.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0
func.func @f1() {
  // expected-error@+1 {{expects parent op 'moe.task'}}
  ocs.await @f
  return
}

// -----

// Servers of a region.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "s" controller 0
func.func @f1(%d: tensor<3x3xi32>) {
  // expected-error@+1 {{expected demand and circuits [4, 4] of the servers of a region, got 'tensor<3x3xi32>'}}
  %c = ocs.plan @f %d : tensor<3x3xi32> -> tensor<4x4xi32>
  return
}

// -----

// What decides at run time.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
// expected-error@+1 {{expected bytes_per_us above 0, got 0}}
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0 {bytes_per_us = 0.0 : f64}

// -----

// What decides at run time.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
// expected-error@+1 {{expected change_us of at least 0, got -1}}
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0 {change_us = -1.0 : f64}

// -----

// What decides at run time.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
// expected-error@+1 {{expected circuit_us of at least 0, got INF}}
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0 {circuit_us = 0x7FF0000000000000 : f64}

// -----

// What decides at run time.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
// expected-error@+1 {{expected an uncertainty of at least 0 and below 1, got 1}}
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0 {uncertainty = 1.0 : f64}

// -----

// Demand.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
func.func @g(%c: tensor<4x4xi32>) {
  // expected-error@+1 {{expected at least 1 byte a row, got 0}}
  %d = ocs.demand @f %c bytes 0 : tensor<4x4xi32> -> tensor<4x4xi64>
  return
}

// -----

// Demand.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
func.func @g(%c: tensor<6x6xi32>) {
  // expected-error@+1 {{expected counts [G, E] of G ranks, a multiple of the 4 servers of a region, and E experts, a multiple of G, got}}
  %d = ocs.demand @f %c bytes 8 : tensor<6x6xi32> -> tensor<4x4xi64>
  return
}

// -----

// Demand.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
func.func @g(%c: tensor<4x6xi32>) {
  // expected-error@+1 {{expected counts [G, E] of G ranks}}
  %d = ocs.demand @f %c bytes 8 : tensor<4x6xi32> -> tensor<4x4xi64>
  return
}

// -----

// Demand.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
func.func @g(%c: tensor<4x4xi32>) {
  // expected-error@+1 {{expected a demand [4, 4] of the servers of a region, got}}
  %d = ocs.demand @f %c bytes 8 : tensor<4x4xi32> -> tensor<2x2xi64>
  return
}

// -----

// What a plan expects.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
func.func @g(%d: tensor<4x4xi64>) {
  // expected-error@+1 {{expected as many circuits at [0, 1] as at [1, 0], got 1 and 0}}
  %c = ocs.plan @f %d {expected = dense<[[0,1,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]> : tensor<4x4xi32>} : tensor<4x4xi64> -> tensor<4x4xi32>
  return
}

// -----

// What a plan expects.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
func.func @g(%d: tensor<4x4xi64>) {
  // expected-error@+1 {{expected circuits [4, 4] or [1, 4, 4]}}
  %c = ocs.plan @f %d {expected = dense<0> : tensor<2x2xi32>} : tensor<4x4xi64> -> tensor<4x4xi32>
  return
}

// -----

// What a plan expects.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
func.func @g(%d: tensor<4x4xi64>) {
  // expected-error@+1 {{expected dense elements as the circuits of regions, got}}
  %c = ocs.plan @f %d {expected = dense<0> : tensor<16xi32>} : tensor<4x4xi64> -> tensor<4x4xi32>
  return
}

// -----

// What decides at run time.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
moe.stream @ocs inter
func.func @g(%c: tensor<4x4xi32>) {
  moe.schedule {
    %t = moe.task @ocs "r"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{expected exchanges of at least 0, got -1}}
      ocs.reconfigure @f to %c {exchanges = -1.0 : f64} : tensor<4x4xi32>
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// What decides at run time.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
moe.stream @ocs inter
func.func @g(%c: tensor<4x4xi32>) {
  moe.schedule {
    %t = moe.task @ocs "r"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{expected slack_us of at least 0, got -1}}
      ocs.reconfigure @f to %c {slack_us = -1.0 : f64} : tensor<4x4xi32>
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// What is remembered has a name.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
func.func @g(%c: tensor<4x4xi32>) {
  // expected-error@+1 {{expected a name, got ""}}
  %p = ocs.predict @f "" else %c : tensor<4x4xi32>
  return
}

// -----

// What is predicted are circuits of the region.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
// expected-note@+1 {{the fabric is declared here}}
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
func.func @g() {
  %c = arith.constant dense<[[0,3,0,0],[3,0,0,0],[0,0,0,0],[0,0,0,0]]> : tensor<4x4xi32>
  // expected-error@+1 {{expected at most 2 circuits at server 0, which has so many optical ports, got 3}}
  %p = ocs.predict @f "0" else %c : tensor<4x4xi32>
  return
}

// -----

// What is remembered is the demand of a region.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
moe.stream @inter inter
func.func @g(%d: tensor<3x3xi64>) {
  moe.schedule {
    %t = moe.task @inter "note"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{expected a demand [4, 4] of the servers of a region, got 'tensor<3x3xi64>'}}
      ocs.note @f "0" sees %d : tensor<3x3xi64>
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// What is recalled has a name, is taken at least once and is a region's.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
func.func @g(%d: tensor<4x4xi64>, %e: tensor<2x2xi64>) {
  // expected-error@+1 {{expected a name, got ""}}
  %s = ocs.recall @f "" with %d times 1 : tensor<4x4xi64>
  return
}

// -----

// The same.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
func.func @g(%d: tensor<4x4xi64>, %e: tensor<2x2xi64>) {
  // expected-error@+1 {{expected a demand at least once, got 0 times}}
  %s = ocs.recall @f "1" with %d times 0 : tensor<4x4xi64>
  return
}

// -----

// The same.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
func.func @g(%d: tensor<4x4xi64>, %e: tensor<2x2xi64>) {
  // expected-error@+1 {{expected a demand [4, 4] of the servers of a region, got 'tensor<2x2xi64>'}}
  %s = ocs.recall @f "1" with %e times 1 : tensor<2x2xi64>
  return
}
