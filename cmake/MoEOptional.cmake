# Optical circuits and fabrics, the optional component. Only this file asks
# whether they are built; libmoert takes the answer as MOERT_ENABLE_OCS.
option(MOE_ENABLE_CIRCUITS "Build optical circuits and fabrics" ON)

# moe_optional(<result> [WITH <item>...] [WITHOUT <item>...])
# Sets `result` to the items for a build with the component or without it.
function(moe_optional result)
  cmake_parse_arguments(ARG "" "" "WITH;WITHOUT" ${ARGN})
  if(MOE_ENABLE_CIRCUITS)
    set(${result} ${ARG_WITH} PARENT_SCOPE)
  else()
    set(${result} ${ARG_WITHOUT} PARENT_SCOPE)
  endif()
endfunction()

# moe_add_optional_subdirectories([WITH <folder>...] [WITHOUT <folder>...])
function(moe_add_optional_subdirectories)
  moe_optional(folders ${ARGN})
  foreach(folder IN LISTS folders)
    add_subdirectory(${folder})
  endforeach()
endfunction()
