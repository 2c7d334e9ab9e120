// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime calls of ops.
//
// An op of class MoERT_RuntimeOp lists the functions of moert.h that it calls,
// their arguments, and the use of their results. The code of the op is
// generated from that (lib/Conversion/MoERTToLLVM/EmitCalls.cpp); it returns
// from the program's function if a call reports anything but MOERT_OK.
// lib/Conversion/MoERTToLLVM/CallSignatures.cpp checks the list against moert.h
// and moert_calls.def. docs/developers/add-a-kernel.md has an example.

#ifndef MOERT_CALL_TD
#define MOERT_CALL_TD

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// An argument, which `add` passes to the call. `parameters` has a letter for
/// each parameter of C that it fills: `p` for a pointer, `i` for a 32-bit
/// number or enum, `l` for a 64-bit number, `d` for a double, `f` for a
/// function.
class MoERT_Argument<string parameters_, string add_> {
  string parameters = parameters_;
  string add = "calls." # add_ # ";";
}

/// A handle, or the address of a buffer's first element. `value`, like all C++
/// here, is an expression inside the op.
class MoERT_Pass<string value>
    : MoERT_Argument<"p", "addValue(" # value # ")">;
/// A zero-terminated text.
class MoERT_PassText<string value>
    : MoERT_Argument<"p", "addText(" # value # ")">;
class MoERT_PassInt32<string value> : MoERT_Argument<
    "i", "addInt32(static_cast<int64_t>(" # value # "))">;
class MoERT_PassInt64<string value>
    : MoERT_Argument<"l", "addInt64(" # value # ")">;
/// A number on the host, of type index.
class MoERT_PassIndex<string value>
    : MoERT_Argument<"l", "addValue(" # value # ")">;
class MoERT_PassFloat64<string value>
    : MoERT_Argument<"d", "addFloat64(" # value # ")">;
/// The maximum waiting time of the host, from the job's configuration.
def MoERT_PassDeadline : MoERT_PassInt64<"::moe::rt::kDefaultDeadline">;
/// The element type of a buffer for computation.
class MoERT_PassType<string buffer>
    : MoERT_Argument<"i", "addType(" # buffer # ")">;
/// The same if elements are only moved: any type of their size suffices.
class MoERT_PassMovedType<string buffer>
    : MoERT_Argument<"i", "addMovedType(" # buffer # ")">;
/// An array of constants: 64-bit integers, or the integers of a
/// DenseIntElementsAttr; null if there are none.
class MoERT_PassNumbers<string value>
    : MoERT_Argument<"p", "addNumbers(" # value # ")">;
/// The integers of a host-readable buffer as 64-bit integers.
class MoERT_PassCounts<string buffer>
    : MoERT_Argument<"p", "addCounts(" # buffer # ")">;
/// The ranks of this rank's group, 32 bits each.
class MoERT_PassMembers<string group>
    : MoERT_Argument<"p", "addMembers(" # group # ")">;
/// The ranks of all groups, group after group, 32 bits each.
class MoERT_PassGroups<string group>
    : MoERT_Argument<"p", "addGroups(" # group # ")">;
/// A function of the module, and its operands.
class MoERT_PassBody<string body, string operands>
    : MoERT_Argument<"fp", "addBody(" # body # ", " # operands # ")">;
/// The argument struct of a kernel.
def MoERT_PassStruct : MoERT_Argument<"p", "addStruct(*this)">;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// A call of `moert_NAME`, which is executed if `when`, if given, holds.
/// `value` is the result of the op that the call provides, if any.
class MoERT_Call<string name, list<MoERT_Argument> arguments, string result,
                 string value_, string when_> {
  string function =
      "{\"moert_" # name # "\", \"" # !interleave(
          !foreach(argument, arguments, argument.parameters), "") #
      "\", ::moe::rt::CallResult::" # result # "}";
  string add = !if(!empty(when_), "", "if (" # when_ # ") ") # "{\n" #
      "        calls.start(" # function # ", " # value_ # ");\n        " #
      !interleave(!foreach(argument, arguments, argument.add), "\n        ") #
      "\n      }";
}

/// A call that only reports a status.
class MoERT_Calls<string name, list<MoERT_Argument> arguments,
                  string when = "">
    : MoERT_Call<name, arguments, "Status", "::mlir::Value()", when>;
/// A call that also returns a handle, through a parameter after the arguments.
class MoERT_Makes<string name, list<MoERT_Argument> arguments, string value,
                  string when = "">
    : MoERT_Call<name, arguments, "Handle", value, when>;

#endif // MOERT_CALL_TD
