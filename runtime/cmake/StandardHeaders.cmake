# Standard headers compiled once a target, and how ccache keeps what is compiled
# with them.

# For ccache as the compilers' launcher.
set(MOERT_CCACHE_SETTINGS "${CMAKE_COMMAND}" -E env
  "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime")

# moert_precompile_standard(<target> [<header in <>>...])
# Precompiles the headers of the standard that most files include, and those
# that are named besides; clang only. Files still include what they use.
function(moert_precompile_standard target)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    return()
  endif()
  set(headers)
  foreach(header algorithm array atomic chrono cmath condition_variable cstring
          functional map memory mutex optional set span string string_view
          thread utility variant vector ${ARGN})
    list(APPEND headers "$<$<COMPILE_LANGUAGE:CXX>:<${header}$<ANGLE-R>>")
  endforeach()
  target_precompile_headers(${target} PRIVATE ${headers})
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()
