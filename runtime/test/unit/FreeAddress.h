// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds a free address.

#ifndef MOERT_TEST_UNIT_FREEADDRESS_H
#define MOERT_TEST_UNIT_FREEADDRESS_H

#include "net/Socket.h"
#include <string>
#include <unistd.h>

namespace moert::test {

/// Returns an address of the loopback interface with a port that is free at the
/// moment; empty if there is none.
inline std::string findFreeAddress() {
  for (int tries = 0; tries < 200; ++tries) {
    Socket probe;
    std::string address =
        "127.0.0.1:" +
        std::to_string(20000 + (getpid() * 37 + tries * 101) % 40000);
    if (listenAt(address, probe).ok())
      return address;
  }
  return "";
}

} // namespace moert::test

#endif // MOERT_TEST_UNIT_FREEADDRESS_H
