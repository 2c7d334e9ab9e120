# How every library and tool of the project is compiled and linked.

include(MoEPlain)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # The options let ccache store what is compiled with a precompiled header.
  set(moe_ccache "${CMAKE_COMMAND}" -E env
      "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
      "${CCACHE_PROGRAM}")
  set(CMAKE_C_COMPILER_LAUNCHER ${moe_ccache})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${moe_ccache})
endif()

# Everything is position independent in the one way (-fPIC): executables built
# with -fPIE could not share the precompiled header.
add_compile_options(-fPIC)

find_program(MOE_LLD NAMES ld.lld-22 ld.lld)
if(MOE_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options("-fuse-ld=${MOE_LLD}")
endif()

if(MOE_SANITIZE)
  add_compile_options(-fsanitize=${MOE_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all -g1)
  # The stock libraries carry no sanitizer's type information.
  add_compile_options(-fno-sanitize=vptr,function)
  add_link_options(-fsanitize=${MOE_SANITIZE})
endif()
if(MOE_ENABLE_FUZZERS)
  # libFuzzer steers by the coverage of what it calls.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

separate_arguments(moe_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")

add_library(moe_options INTERFACE)
target_compile_definitions(moe_options INTERFACE ${moe_llvm_definitions})
target_include_directories(moe_options SYSTEM INTERFACE
  ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_include_directories(moe_options INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
  "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>")
target_compile_options(moe_options INTERFACE
  -Wall -Wextra -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
if(MOE_WARNINGS_AS_ERRORS)
  target_compile_options(moe_options INTERFACE -Werror)
endif()
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(moe_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()

# One precompiled header for all C++ of the compiler, clang only: it turns
# nine seconds a file into one. g++'s is not worth its cost.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_library(moe_pch OBJECT "${PROJECT_SOURCE_DIR}/cmake/Precompiled.cpp")
  target_link_libraries(moe_pch PRIVATE moe_options)
  target_precompile_headers(moe_pch PRIVATE
    "${PROJECT_SOURCE_DIR}/cmake/Precompiled.h")
  target_compile_options(moe_pch PRIVATE
    "SHELL:-Xclang -fno-pch-timestamp")
endif()

function(moe_compile_settings name)
  # Flags of this build only: a static library would otherwise ask for the
  # target again wherever it is installed.
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:moe_options>)
  if(TARGET moe_pch)
    target_precompile_headers(${name} REUSE_FROM moe_pch)
    target_compile_options(${name} PRIVATE
      "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# moe_add_library(<name> SOURCES <file>... [LINK <target>...] [DEPENDS <t>...])
# A static library of the compiler. LINK names other libraries of ours; the
# shared libMLIR and libLLVM come with each of them.
function(moe_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_library(MoEMLIR::${name} ALIAS ${name})
  moe_compile_settings(${name})
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  add_dependencies(${name} MoETableGen ${ARG_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY MOE_LIBRARIES ${name})
endfunction()

# moe_add_tool(<name> SOURCES <file>... LINK <target>...)
function(moe_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  moe_compile_settings(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
  target_compile_definitions(${name} PRIVATE
    MOE_VERSION="${PROJECT_VERSION}")
  add_dependencies(${name} MoETableGen)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set_property(GLOBAL APPEND PROPERTY MOE_TOOLS ${name})
endfunction()
