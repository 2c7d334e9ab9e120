# `moe-docs` regenerates the reference pages in the source tree. They are
# committed; test/docs/reference.test fails while they are stale.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

add_custom_target(moe-docs
  COMMAND "${Python3_EXECUTABLE}"
          "${PROJECT_SOURCE_DIR}/cmake/reference_pages.py"
          "--tblgen=${MLIR_TABLEGEN_EXE}"
          "--mlir-include=${MLIR_INCLUDE_DIRS}"
  VERBATIM COMMENT "Writing the reference pages of dialects and passes")
