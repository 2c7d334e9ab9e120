// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the moert dialect.

#ifndef MOERT_TYPES_TD
#define MOERT_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "moert/MoERTDialect.td"

class MoERT_Type<string name, string typeMnemonic>
    : TypeDef<MoERT_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def MoERT_Context : MoERT_Type<"Context", "context"> {
  let summary = "one rank's place in a job";
  let description = "A `moert_context`: what everything else is made from.";
}

def MoERT_Stream : MoERT_Type<"Stream", "stream"> {
  let summary = "a queue of work";
  let description = "A `moert_stream`: its work runs one piece after another.";
}

def MoERT_Event : MoERT_Type<"Event", "event"> {
  let summary = "a point in a stream";
  let description = [{
    A `moert_event`: recorded on one stream, waited for by others. An event
    that was never recorded counts as reached.
  }];
}

def MoERT_Comm : MoERT_Type<"Comm", "comm"> {
  let summary = "a group of ranks on a stream";
  let description = [{
    A `moert_comm` of so many ranks, whose collectives run on the stream it was
    made for.

    ```
    !moert.comm<4>
    ```

    **Constraints:** the size is at least 1.
  }];
  let parameters = (ins "int64_t":$size);
  let assemblyFormat = "`<` $size `>`";
  let genVerifyDecl = 1;
}

def MoERT_OcsSwitch : MoERT_Type<"OcsSwitch", "ocs_switch"> {
  let summary = "an optical circuit switch";
  let description = "A `moert_ocs`: a connection to the switch's controller.";
}

def MoERT_OcsChange : MoERT_Type<"OcsChange", "ocs_change"> {
  let summary = "a change of circuits under way";
  let description = [{
    A `moert_ocs_change`, which is awaited once.
  }];
}

def MoERT_OcsRegion : MoERT_Type<"OcsRegion", "ocs_region"> {
  let summary = "servers whose optical ports are on one switch";
  let description = [{
    A `moert_ocs_region`: what a rank knows of the circuits of its region.
  }];
}

#endif // MOERT_TYPES_TD
