// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of the phase llvm.

#ifndef MOE_CONVERSION_TARGETOPTIONS_TD
#define MOE_CONVERSION_TARGETOPTIONS_TD

include "moe/Support/PassBase.td"

def TargetOption
    : Option<"target", "target", "::moe::CompileTarget",
             "::moe::CompileTarget::Host",
             "Target that task bodies are compiled for",
             "::moe::EnumValues<::moe::CompileTarget>()">;

def ChipOption
    : Option<"chip", "chip", "std::string", "\"sm_75\"",
             "target=nccl: oldest GPU architecture to support">;

def CubinChipsOption
    : Option<"cubinChips", "cubin-chips", "std::string", "\"auto\"",
             "target=nccl: architectures to embed machine code for: auto, "
             "none, or a list such as sm_80,sm_90">;

def ToolkitOption
    : Option<"toolkit", "toolkit", "std::string", "",
             "CUDA directory whose bin/ptxas assembles machine code (default: "
             "search for one)">;

defvar targetOptions = [TargetOption, ChipOption, CubinChipsOption,
                        ToolkitOption];

#endif // MOE_CONVERSION_TARGETOPTIONS_TD
