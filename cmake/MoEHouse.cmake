# Writes the linked targets of each library for test/house/components.test, one
# line per target: `target;folder;linked target...`.
get_property(moe_libraries GLOBAL PROPERTY MOE_LIBRARIES)
set(moe_links "")
foreach(library IN LISTS moe_libraries)
  get_target_property(folder ${library} SOURCE_DIR)
  get_target_property(linked ${library} LINK_LIBRARIES)
  list(JOIN linked ";" linked)
  string(APPEND moe_links "${library};${folder};${linked}\n")
endforeach()
string(REGEX REPLACE "\\$<[^>]*>;?" "" moe_links "${moe_links}")
file(WRITE "${PROJECT_BINARY_DIR}/house/links.txt" "${moe_links}")
