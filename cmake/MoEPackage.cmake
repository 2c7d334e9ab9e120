# The Debian package: `cpack -G DEB` in a build folder (docs/reference/python-and-c.md). LLVM's
# libraries are Debian's own.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME moe-mlir)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_VENDOR moe-mlir)
set(CPACK_PACKAGE_CONTACT "moe-mlir <moe-mlir@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
    "compiler for the communication of Mixture-of-Experts training")
set(CPACK_PACKAGE_DESCRIPTION
    "Tools, libraries, headers, platforms and the Python package moe_mlir.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# The package requires this minor version, which is part of the libraries' name.
math(EXPR next_minor "${LLVM_VERSION_MINOR} + 1")
set(llvm_from "1:${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR}~")
set(llvm_before "1:${LLVM_VERSION_MAJOR}.${next_minor}~")
string(JOIN ", " CPACK_DEBIAN_PACKAGE_DEPENDS
  "libmlir-${LLVM_VERSION_MAJOR} (>= ${llvm_from})"
  "libmlir-${LLVM_VERSION_MAJOR} (<< ${llvm_before})"
  "libllvm${LLVM_VERSION_MAJOR} (>= ${llvm_from})"
  "libc6 (>= 2.36)" "libgcc-s1" "libstdc++6 (>= 12)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3 (>= 3.9), python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "openmpi-bin")
include(CPack)
