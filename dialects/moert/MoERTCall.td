// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an op calls of the runtime.
//
// An op of class MoERT_RuntimeOp says which functions of moert.h it calls, with
// which arguments, and what becomes of what they give back. From that comes the
// code of the op (lib/Conversion/MoERTToLLVM/EmitCalls.cpp), which leaves the
// program when a call reports anything but MOERT_OK.
// lib/Conversion/MoERTToLLVM/CallSignatures.cpp checks it against moert.h and
// moert_calls.def. docs/developers/add-a-kernel.md goes through an example.

#ifndef MOERT_CALL_TD
#define MOERT_CALL_TD

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// An argument, which `add` gives to the call. `parameters` has a letter for
/// each parameter of C that it fills: `p` a pointer, `i` a number or enum of 32
/// bits, `l` a number of 64 bits, `d` a double, `f` a function.
class MoERT_Argument<string parameters_, string add_> {
  string parameters = parameters_;
  string add = "calls." # add_ # ";";
}

/// A handle, or the address of a buffer's first element. `value`, as all C++
/// here, is an expression inside of the op.
class MoERT_Pass<string value>
    : MoERT_Argument<"p", "addValue(" # value # ")">;
/// A text with a zero at its end.
class MoERT_PassText<string value>
    : MoERT_Argument<"p", "addText(" # value # ")">;
class MoERT_PassInt32<string value> : MoERT_Argument<
    "i", "addInt32(static_cast<int64_t>(" # value # "))">;
class MoERT_PassInt64<string value>
    : MoERT_Argument<"l", "addInt64(" # value # ")">;
/// A number that the host has: of type index.
class MoERT_PassIndex<string value>
    : MoERT_Argument<"l", "addValue(" # value # ")">;
class MoERT_PassFloat64<string value>
    : MoERT_Argument<"d", "addFloat64(" # value # ")">;
/// How long the host waits at most: as long as the job's configuration says.
def MoERT_PassDeadline : MoERT_PassInt64<"::moe::rt::kDefaultDeadline">;
/// The element type of a buffer that is computed with.
class MoERT_PassType<string buffer>
    : MoERT_Argument<"i", "addType(" # buffer # ")">;
/// The same where elements are only moved: any type of their size will do.
class MoERT_PassMovedType<string buffer>
    : MoERT_Argument<"i", "addMovedType(" # buffer # ")">;
/// An array of constants: 64-bit integers, or those of a DenseIntElementsAttr;
/// null where there are none.
class MoERT_PassNumbers<string value>
    : MoERT_Argument<"p", "addNumbers(" # value # ")">;
/// The integers of a buffer the host can read, as 64-bit ones.
class MoERT_PassCounts<string buffer>
    : MoERT_Argument<"p", "addCounts(" # buffer # ")">;
/// The ranks of this rank's group, of 32 bits each.
class MoERT_PassMembers<string group>
    : MoERT_Argument<"p", "addMembers(" # group # ")">;
/// A function of the module, and what it is called with.
class MoERT_PassBody<string body, string operands>
    : MoERT_Argument<"fp", "addBody(" # body # ", " # operands # ")">;
/// The argument struct of a kernel.
def MoERT_PassStruct : MoERT_Argument<"p", "addStruct(*this)">;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// A call of `moert_NAME`, made where `when` holds if that is given. `value` is the result of
/// the op that it gives, if it does.
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

/// Reports a status and nothing else.
class MoERT_Calls<string name, list<MoERT_Argument> arguments,
                  string when = "">
    : MoERT_Call<name, arguments, "Status", "::mlir::Value()", when>;
/// Also gives a handle, through a parameter behind the arguments.
class MoERT_Makes<string name, list<MoERT_Argument> arguments, string value,
                  string when = "">
    : MoERT_Call<name, arguments, "Handle", value, when>;

#endif // MOERT_CALL_TD
