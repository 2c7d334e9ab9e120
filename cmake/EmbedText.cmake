# Writes the concatenation of files as a C++ string literal:
#   cmake -DOUTPUT=F -DINPUTS=F,F... -P EmbedText.cmake
# Compilers guarantee only literals of a few thousand characters, so each 8000
# bytes of a file become a separate literal.
string(REPLACE "," ";" inputs "${INPUTS}")
set(literals "")
foreach(input IN LISTS inputs)
  file(READ "${input}" text HEX)
  string(LENGTH "${text}" length)
  set(from 0)
  while(from LESS length)
    string(SUBSTRING "${text}" ${from} 16000 part)
    string(REGEX REPLACE "(..)" "\\\\x\\1" part "${part}")
    string(APPEND literals "\"${part}\"\n")
    math(EXPR from "${from} + 16000")
  endwhile()
endforeach()
file(WRITE "${OUTPUT}" "${literals}")
