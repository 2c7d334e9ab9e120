// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connections of ranks to their job.

#include "net/CallbackMember.h"
#include "net/TcpMember.h"

using namespace moert;

Status Member::join(const moert_config &config, Deadline deadline,
                    std::unique_ptr<Member> &member) {
  if (config.all_gather)
    return CallbackMember::join(config, deadline, member);
  return TcpMember::join(config, deadline, member);
}
