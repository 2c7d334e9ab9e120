# Standard headers compiled once for all targets, and the settings with which
# ccache caches the objects that use them.

# Settings for ccache as compiler launcher, so that clones in other folders
# share objects: paths below the project's folder count as relative. A
# precompiled header contains absolute paths, so ccache instead hashes the
# checksum that SumHeaders.sh writes; each clone writes it anew.
get_filename_component(moert_root "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
set(MOERT_CCACHE_SETTINGS "${CMAKE_COMMAND}" -E env
  "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
  "CCACHE_BASEDIR=${moert_root}" "CCACHE_NOHASHDIR=1" "CCACHE_PCH_EXTSUM=1")
# CMake passes a precompiled header by -Xclang with an absolute path, which must
# not count. Other uses of -Xclang must count, so it is ignored only if unused.
if(NOT "${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-Xclang")
  list(APPEND MOERT_CCACHE_SETTINGS "CCACHE_IGNOREOPTIONS=-Xclang")
endif()

# moert_sum_headers(<target>)
# Writes a checksum next to the headers that the target precompiles.
function(moert_sum_headers target)
  get_target_property(launcher ${target} CXX_COMPILER_LAUNCHER)
  if(launcher)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
      "sh;${CMAKE_CURRENT_FUNCTION_LIST_DIR}/SumHeaders.sh")
  endif()
endfunction()

# moert_precompile_standard(<target> [FLAGS <flag>...])
# Lets the target use precompiled standard headers, compiled once for all
# targets with the same language flags; clang only. Files still include the
# headers that they use. A unity build has too few units to repay it.
function(moert_precompile_standard target)
  cmake_parse_arguments(ARG "" "" "FLAGS" ${ARGN})
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_UNITY_BUILD)
    return()
  endif()
  string(MAKE_C_IDENTIFIER "moert_standard_pch${ARG_FLAGS}" precompiled)
  if(NOT TARGET ${precompiled})
    set(headers)
    foreach(header algorithm array atomic chrono cmath condition_variable
            cstring functional map memory mutex optional set span string
            string_view thread utility variant vector)
      list(APPEND headers "$<$<COMPILE_LANGUAGE:CXX>:<${header}$<ANGLE-R>>")
    endforeach()
    file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/${precompiled}.cpp" CONTENT "")
    add_library(${precompiled} OBJECT EXCLUDE_FROM_ALL
      "${CMAKE_BINARY_DIR}/${precompiled}.cpp")
    target_compile_options(${precompiled} PRIVATE -fPIC ${ARG_FLAGS}
      "SHELL:-Xclang -fno-pch-timestamp")
    target_precompile_headers(${precompiled} PRIVATE ${headers})
    moert_sum_headers(${precompiled})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${precompiled})
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()
