# TableGen of the dialects. All generated headers are built before any C++ is
# compiled, because every library depends on the target MoETableGen.

add_custom_target(MoETableGen)

# moe_tablegen(<td> <output relative to the build's include/> <mlir-tblgen flags>...)
function(moe_tablegen td out)
  set(output "${PROJECT_BINARY_DIR}/include/${out}")
  get_filename_component(dir "${output}" DIRECTORY)
  file(MAKE_DIRECTORY "${dir}")
  get_property(tds GLOBAL PROPERTY MOE_TD_FILES)
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${MLIR_TABLEGEN_EXE}" ${ARGN} --write-if-changed
            -I "${PROJECT_SOURCE_DIR}/dialects" -I "${PROJECT_SOURCE_DIR}/include"
            -I "${MLIR_INCLUDE_DIRS}" "${td}" -o "${output}"
    DEPENDS ${tds}
    COMMENT "TableGen ${out}")
  string(MAKE_C_IDENTIFIER "${out}" target)
  add_custom_target(tblgen_${target} DEPENDS "${output}")
  add_dependencies(MoETableGen tblgen_${target})
endfunction()

# On some systems MLIR's package gives the binary's path as a bare name.
find_program(MLIR_TABLEGEN_EXE_FOUND NAMES mlir-tblgen mlir-tblgen-22
             HINTS "${LLVM_TOOLS_BINARY_DIR}" REQUIRED)
set(MLIR_TABLEGEN_EXE "${MLIR_TABLEGEN_EXE_FOUND}")
