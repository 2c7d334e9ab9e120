# Libraries that need neither MLIR nor LLVM. The compiler's project builds them,
# and so does the runtime's project if it is built alone.

include("${CMAKE_CURRENT_LIST_DIR}/../runtime/cmake/StandardHeaders.cmake")

# moe_add_plain_library(<name> [HOT] SOURCES <file>... [LINK <library>...])
# Adds a static library in standard C++ that sees no header of MLIR or LLVM and
# links other plain libraries. The runtime's shared library contains its
# objects, but exports none of its symbols. HOT libraries take most of the time
# of planners and simulators, so presets that compile at -O1 optimize them fully.
function(moe_add_plain_library name)
  cmake_parse_arguments(ARG "HOT" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_library(MoEMLIR::${name} ALIAS ${name})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter
                         -fno-exceptions -fPIC -fvisibility=hidden
                         -fvisibility-inlines-hidden)
  if(MOE_WARNINGS_AS_ERRORS)
    target_compile_options(${name} PRIVATE -Werror)
  endif()
  if(ARG_HOT AND CMAKE_UNITY_BUILD AND NOT MOE_SANITIZE)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O3>)
  endif()
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  moert_precompile_standard(${name} FLAGS -fno-exceptions)
  set_property(GLOBAL APPEND PROPERTY MOE_LIBRARIES ${name})
endfunction()
