# Compile and link settings of every library and tool of the project.

include(MoEPlain)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  foreach(language C CXX)
    set(CMAKE_${language}_COMPILER_LAUNCHER
      ${MOERT_CCACHE_SETTINGS} "${CCACHE_PROGRAM}")
  endforeach()
endif()

# All code is position independent in one way (-fPIC), because executables built
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
  # libFuzzer is guided by the coverage of the code it calls.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

separate_arguments(moe_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")

add_library(moe_options INTERFACE)
target_compile_definitions(moe_options INTERFACE ${moe_llvm_definitions})
target_include_directories(moe_options SYSTEM INTERFACE
  ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_include_directories(moe_options INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
  "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>"
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/cmake>")
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

# moe_add_precompiled(<name> [<header>...])
# Precompiles upstream's headers (Precompiled.h) and the named ones, for clang
# only: they cut nine seconds per file to one, but g++'s do not pay for
# themselves.
function(moe_add_precompiled name)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    return()
  endif()
  add_library(${name} OBJECT EXCLUDE_FROM_ALL
    "${PROJECT_SOURCE_DIR}/cmake/Precompiled.cpp")
  target_link_libraries(${name} PRIVATE moe_options)
  target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  # In angle brackets CMake's header names no folder of this clone, so that
  # ccache finds objects that another clone has compiled.
  set(headers "<Precompiled.h$<ANGLE-R>")
  foreach(header IN LISTS ARGN)
    list(APPEND headers "<${header}$<ANGLE-R>")
  endforeach()
  target_precompile_headers(${name} PRIVATE ${headers})
  moert_sum_headers(${name})
  add_dependencies(${name} MoETableGen)
endfunction()
moe_add_precompiled(moe_pch)
# The precompiled header of targets that link the ops of `moe`.
moe_add_precompiled(moe_dialect_pch moe/Dialect/MoE/MoEOps.h)

# Sets `result` if `name` is a target of ours that is, or links, one of `moe`'s
# ops.
function(moe_sees_dialect name result)
  set(${result} OFF PARENT_SCOPE)
  if(name STREQUAL "MoEDialect")
    set(${result} ON PARENT_SCOPE)
  elseif(TARGET ${name})
    get_target_property(links ${name} LINK_LIBRARIES)
    get_target_property(imported ${name} IMPORTED)
    if(imported OR NOT links)
      return()
    endif()
    foreach(link IN LISTS links)
      moe_sees_dialect("${link}" seen)
      if(seen)
        set(${result} ON PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endif()
endfunction()

# Must be called when the target is linked. PCH names a precompiled header other
# than the one of the linked targets.
function(moe_compile_settings name)
  cmake_parse_arguments(ARG "" "PCH" "" ${ARGN})
  # Flags of this build only, because a static library would otherwise require
  # the target wherever it is installed.
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:moe_options>)
  if(NOT ARG_PCH)
    set(ARG_PCH moe_pch)
    moe_sees_dialect(${name} sees_dialect)
    # A unity build has too few units to repay a second header.
    if(sees_dialect OR CMAKE_UNITY_BUILD)
      set(ARG_PCH moe_dialect_pch)
    endif()
  endif()
  if(TARGET ${ARG_PCH})
    target_precompile_headers(${name} REUSE_FROM ${ARG_PCH})
    target_compile_options(${name} PRIVATE
      "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# moe_add_library(<name> SOURCES <file>... [LINK <target>...] [DEPENDS <t>...])
# Adds a static library of the compiler. LINK names other libraries of ours;
# each of them links the shared libMLIR and libLLVM.
function(moe_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_library(MoEMLIR::${name} ALIAS ${name})
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  moe_compile_settings(${name})
  add_dependencies(${name} MoETableGen ${ARG_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY MOE_LIBRARIES ${name})
endfunction()

# moe_add_tool(<name> SOURCES <file>... LINK <target>...)
function(moe_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
  moe_compile_settings(${name})
  target_compile_definitions(${name} PRIVATE
    MOE_VERSION="${PROJECT_VERSION}")
  add_dependencies(${name} MoETableGen)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set_property(GLOBAL APPEND PROPERTY MOE_TOOLS ${name})
endfunction()
