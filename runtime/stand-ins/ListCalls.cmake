# Writes one line MOERT_CALL_NAME("name") to OUTPUT per function that can be
# made to fail: the functions in FILES that are declared as `STAND_IN_API TYPE
# NAME(` with CALL( in the body. Names have no version suffix ("_v2").
set(text "// Made by ListCalls.cmake.\n")
set(names "")
foreach(file ${FILES})
  file(READ "${file}" source)
  # A semicolon would split a list.
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
