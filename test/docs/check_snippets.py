#!/usr/bin/env python3
"""Compiles the C++ of a page, without generating code.

usage: check_snippets.py PAGE BUILD FOLDER

Every block of cpp is the body of a function that may use the names of the
page's text: `path`, a text, `context`, an MLIRContext, `createMyPass`, which
creates a pass, and `MyOp`, an op. Headers are those that a block's comments
name, `moe/...h`, and MLIR's parser and pass manager. The compiler and its flags
are those of a file of the build that uses the compiler's library.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

page, build, folder = map(pathlib.Path, sys.argv[1:])
text = page.read_text()
blocks = re.findall(r"^```cpp\n(.*?)^```$", text, re.M | re.S)
if not blocks:
    sys.exit(f"check_snippets.py: expected blocks of cpp in {page}, found none")
headers = sorted({"mlir/Parser/Parser.h", "mlir/Pass/PassManager.h"}
                 | set(re.findall(r"// (moe/\S+\.h)", "".join(blocks))))
source = "".join(f'#include "{header}"\n' for header in headers)
source += """std::unique_ptr<mlir::Pass> createMyPass();
struct MyOp : mlir::Op<MyOp, mlir::OpTrait::OneResult> {
  using Op::Op;
  static llvm::StringRef getOperationName();
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames();
};
"""
for i, block in enumerate(blocks):
    source += (f"int snippet{i}(std::string path, mlir::MLIRContext &context) "
               f"{{\n{{\n{block}}}\nreturn 0;\n}}\n")
snippets = folder / "snippets.cpp"
snippets.write_text(source)

# Compiled with the flags of moe-sim; a unity build names its files differently.
model = "tools/moe-sim/moe-sim.cpp"
commands = json.loads((build / "compile_commands.json").read_text())
entry = next((e for e in commands if e["file"].endswith(model)
              or "moe-sim.dir/Unity/" in e["file"]), None)
if entry is None:
    sys.exit(f"check_snippets.py: expected {model} in compile_commands.json")
words = shlex.split(entry["command"])
keep = []
skip = False
for word in words:
    if skip or word in ("-c", entry["file"]):
        skip = False
    elif word in ("-o", "-MF", "-MT"):
        skip = True
    elif word not in ("-MD", "ccache") and not word.endswith("/ccache"):
        keep.append(word)
done = subprocess.run(keep + ["-fsyntax-only", "-Wno-unused", str(snippets)],
                      cwd=entry["directory"], text=True)
if done.returncode != 0:
    sys.exit(f"check_snippets.py: the C++ of {page} does not compile:\n{source}")
print(f"{len(blocks)} snippets compile")
