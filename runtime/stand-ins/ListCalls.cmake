# Writes the names of all functions that can be made to fail, one
# MOERT_CALL_NAME("name") a line: of what stands as `STAND_IN_API TYPE NAME(` with
# CALL( in its body in FILES, without a version ("_v2") behind
# it, to OUTPUT.
set(text "// Made by ListCalls.cmake.\n")
set(names "")
foreach(file ${FILES})
  file(READ "${file}" source)
  # Lists are cut at semicolons.
  string(REPLACE ";" " " source "${source}")
  string(REGEX MATCHALL
    "STAND_IN_API[^(]*[ \n*][A-Za-z0-9_]+\\([^{}]*{[^}]*CALL\\("
    functions "${source}")
  foreach(function ${functions})
    string(REGEX REPLACE "^STAND_IN_API[^(]*[ \n*]([A-Za-z0-9_]+)\\(.*$" "\\1"
           name "${function}")
    string(REGEX REPLACE "_v2$" "" name "${name}")
    list(APPEND names "${name}")
  endforeach()
endforeach()
list(SORT names)
foreach(name ${names})
  string(APPEND text "MOERT_CALL_NAME(\"${name}\")\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
