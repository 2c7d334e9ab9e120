# Libraries that need neither MLIR nor LLVM. The compiler's project builds them,
# and so does the runtime's project if it is built alone.

include("${CMAKE_CURRENT_LIST_DIR}/../runtime/cmake/StandardHeaders.cmake")

# moe_add_plain_library(<name> SOURCES <file>... [LINK <plain library>...])
# Adds a static library in standard C++ that sees no header of MLIR or LLVM. The
# runtime's shared library contains its objects, but exports none of its
# symbols.
function(moe_add_plain_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_library(MoEMLIR::${name} ALIAS ${name})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter
                         -fno-exceptions -fPIC -fvisibility=hidden
                         -fvisibility-inlines-hidden)
  if(MOE_WARNINGS_AS_ERRORS)
    target_compile_options(${name} PRIVATE -Werror)
  endif()
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  moert_precompile_standard(${name} FLAGS -fno-exceptions)
  set_property(GLOBAL APPEND PROPERTY MOE_LIBRARIES ${name})
endfunction()
