// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries of the table of kernels.
//
// An op of class MoERT_KernelOp is one entry of the table of kernels: its
// buffers, and the members of its argument struct as in moert.h. The op's
// operands, syntax and effects, the checks of its buffers, the conversion from
// the op of `moe` that it implements, and the call of the runtime are derived
// from it. lib/Conversion/MoERTToLLVM/KernelLayouts.cpp checks the entry
// against moert.h. docs/developers/add-a-kernel.md has an example.

#ifndef MOERT_KERNEL_TD
#define MOERT_KERNEL_TD

include "moert/MoERTCollectiveOps.td"

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// A buffer that a kernel reads or writes. `name` is the member of the struct
/// that points to it. `dims` has the names of its dims: dims with the same name
/// have the same size in all buffers of the op. `rows*` matches one or more
/// dims, or any number if it is the only one, and `parts?` matches any number
/// everywhere. `type` is the member with the element type, which all buffers
/// with the same `type` share; empty if none.
class MoERT_KernelBuffer<string name_, list<string> dims_, string type_,
                         string presence, bit isOutput_> {
  string name = name_;
  bit isOutput = isOutput_;
  bit isNamed = !or(!eq(presence, "Named"), !eq(presence, "Host"),
                    !eq(presence, "Added"), !eq(presence, "AddedHost"));
  string cpp = "{\"" # name_ # "\", \"" # !interleave(dims_, " ") # "\", \"" #
               type_ # "\", ::moe::rt::KernelBuffer::" # presence # ", " #
               !if(isOutput_, "true", "false") # "}";
}

class MoERT_In<string name, list<string> dims, string type = "type">
    : MoERT_KernelBuffer<name, dims, type, "Always", 0>;
/// A buffer that is either present together with all others of this class, or
/// absent.
class MoERT_OptionalIn<string name, list<string> dims, string type = "type">
    : MoERT_KernelBuffer<name, dims, type, "Together", 0>;
/// An optional buffer that follows its name in the syntax: `bias(%b :
/// memref<8xf32>)`.
class MoERT_NamedIn<string name, list<string> dims, string type = "type">
    : MoERT_KernelBuffer<name, dims, type, "Named", 0>;
/// The same for integers in host memory, which are read when the op puts its
/// work on the stream; in the struct, they are 64-bit integers
/// (`MoERT_Counts`).
class MoERT_HostIn<string name, list<string> dims>
    : MoERT_KernelBuffer<name, dims, "", "Host", 0>;
/// A named buffer that is no operand of the op of `moe`: the conversion adds
/// it.
class MoERT_AddedIn<string name, list<string> dims, string type>
    : MoERT_KernelBuffer<name, dims, type, "Added", 0>;
/// The same for 64-bit integers in host memory, which the call may write.
class MoERT_AddedHost<string name, list<string> dims>
    : MoERT_KernelBuffer<name, dims, "", "AddedHost", 0>;
class MoERT_Out<string name, list<string> dims, string type = "type">
    : MoERT_KernelBuffer<name, dims, type, "Always", 1>;
class MoERT_OptionalOut<string name, list<string> dims, string type = "type">
    : MoERT_KernelBuffer<name, dims, type, "Together", 1>;

//===----------------------------------------------------------------------===//
// Members of the argument struct, after `size`
//===----------------------------------------------------------------------===//

class MoERT_Member<string name_, string kind_, string add_> {
  string name = name_;
  string kind = kind_;
  string add = add_;
}
/// A 32-bit number: an enum or a flag. `value` is a C++ expression inside the
/// op.
class MoERT_Int<string name, string value> : MoERT_Member<
    name, "Int32", "args.addInt32(static_cast<int64_t>(" # value # "));">;
/// A 64-bit number.
class MoERT_Int64<string name, string value>
    : MoERT_Member<name, "Int64", "args.addInt64(" # value # ");">;
/// The size of a dim; 0 if no buffer of the op has it.
class MoERT_Dim<string name>
    : MoERT_Int64<name, "args.getDim(\"" # name # "\")">;
/// A 64-bit float from an attribute, or 0 if the attribute is null.
class MoERT_Real<string name, string value>
    : MoERT_Member<name, "Float64", "args.addFloat64(" # value # ");">;
/// The address of a buffer; null if the op has none of this name.
class MoERT_Pointer<string name>
    : MoERT_Member<name, "Pointer", "args.addPointer(\"" # name # "\");">;
/// The element type of the buffers that name this member.
class MoERT_ElementType<string name>
    : MoERT_Member<name, "Int32", "args.addType(\"" # name # "\");">;
/// The same if elements are only moved: any type of their size suffices.
class MoERT_MovedType<string name>
    : MoERT_Member<name, "Int32", "args.addMovedType(\"" # name # "\");">;

/// The integers of a `MoERT_HostIn` as 64-bit integers; null if the op has none
/// of this name.
class MoERT_Counts<string name>
    : MoERT_Member<name, "Pointer", "args.addCounts(\"" # name # "\");">;

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

/// The op that is converted to a kernel. `operands` has the numbers of its
/// operands in the order of the kernel's inputs; by default, all operands in
/// order.
class MoERT_From<string op, list<int> operands = []> {
  string cpp = "{\"" # op # "\", \"" # !interleave(operands, " ") # "\"}";
}

def MoERT_ReadBuffers : Arg<Variadic<MoERT_ContiguousBuffer>, "", [MemRead]>;
def MoERT_ReadBuffer : Arg<Optional<MoERT_ContiguousBuffer>, "", [MemRead]>;
def MoERT_WrittenBuffers
    : Arg<Variadic<MoERT_ContiguousBuffer>, "", [MemWrite]>;

/// Calls the runtime's function `moert_CALL`; moert_calls.def names its struct.
class MoERT_KernelOp<string mnemonic, string call = mnemonic>
    : MoERT_RuntimeOp<mnemonic, [
        AttrSizedOperandSegments, MoERT_KernelOpInterface]> {
  /// Inputs in the order of the operands of the op of `moe`, followed by
  /// outputs in the order of its results.
  list<MoERT_KernelBuffer> buffers = [];
  /// Members in the order of moert.h, which may differ from the order of
  /// buffers.
  list<MoERT_Member> members = [];
  /// The op of the same name unless given. Attributes are passed on by name.
  list<MoERT_From> sources = [MoERT_From<"moe." # mnemonic>];
  /// Attributes and their syntax.
  dag attributes = (ins);
  string head = "";
  string tail = "";
  /// If set, the op has a method `check` for conditions that the table cannot
  /// express.
  bit hasCheck = 0;

  list<MoERT_KernelBuffer> named =
      !filter(buffer, buffers, buffer.isNamed);
  let arguments = !con(
      (ins MoERT_Stream:$stream, MoERT_ReadBuffers:$inputs),
      !dag(ins, !foreach(buffer, named, MoERT_ReadBuffer),
           !foreach(buffer, named, buffer.name)),
      (ins MoERT_WrittenBuffers:$outputs), attributes);
  let assemblyFormat =
      "$stream " # head # " `ins` `(` $inputs `:` type($inputs) `)` " #
      !interleave(!foreach(buffer, named,
          "(`" # buffer.name # "` `(` $" # buffer.name # "^ `:` type($" #
          buffer.name # ") `)`)?"), " ") #
      " `outs` `(` $outputs `:` type($outputs) `)` " # tail # " attr-dict";
  let hasVerifier = 1;

  let calls =
      [MoERT_Calls<call, [MoERT_Pass<"getStream()">, MoERT_PassStruct]>];
  let extraClassDeclaration = declareCalls # [{
    static constexpr ::moe::rt::KernelBuffer kKernelBuffers[] = {
      }] # !interleave(!foreach(buffer, buffers, buffer.cpp), ",\n      ") # [{
    };
    static constexpr ::moe::rt::KernelSource kKernelSources[] = {
      }] # !interleave(!foreach(source, sources, source.cpp), ", ") # [{
    };
    static constexpr ::moe::rt::KernelMember kKernelMembers[] = {
      ::moe::rt::KernelMember::Int32, }] # !interleave(
        !foreach(member, members, "::moe::rt::KernelMember::" # member.kind),
        ", ") # [{
    };
    static ::moe::rt::KernelInfo getKernelInfo() {
      return {kRuntimeFunctions[0].symbol, kKernelBuffers, kKernelSources,
              kKernelMembers};
    }
    /// Where the runtime's struct has the members.
    template <typename Args> static constexpr auto getKernelPlaces() {
      return std::array{
        ::moe::rt::KernelPlace{offsetof(Args, size), sizeof(Args::size)},
        }] # !interleave(!foreach(member, members,
          "::moe::rt::KernelPlace{offsetof(Args, " # member.name #
          "), sizeof(Args::" # member.name # ")}"), ",\n        ") # [{
      };
    }
    ::llvm::SmallVector<::mlir::Value> getNamedInputs() {
      ::llvm::SmallVector<::mlir::Value> named;
      // Operands in the order of ODS: the stream, inputs, and these.
      for (unsigned i = 2; i < 2 + }] # !size(named) # [{; ++i) {
        auto operands = getODSOperands(i);
        named.push_back(operands.empty() ? ::mlir::Value() : *operands.begin());
      }
      return named;
    }
    void addKernelMembers(::moe::rt::KernelArguments &args);
    }] # !if(hasCheck, "::llvm::LogicalResult check();\n", "");

  let extraClassDefinition = defineCalls # [{
    void $cppClass::addKernelMembers(::moe::rt::KernelArguments &args) {
      }] # !interleave(!foreach(member, members, member.add), "\n      ") # [{
    }
    ::llvm::LogicalResult $cppClass::verify() {
      if (::llvm::failed(::moe::rt::verifyKernel(*this)))
        return ::llvm::failure();
      return }] # !if(hasCheck, "check()", "::llvm::success()") # [{;
    }
  }];
}

#endif // MOERT_KERNEL_TD
