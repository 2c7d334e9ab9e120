# Writes files, one after the other, as a C++ string literal:
#   cmake -DOUTPUT=F -DINPUTS=F,F... -P EmbedText.cmake
# A literal of a few thousand characters is all that compilers promise to take,
# so a file becomes one for every 8000 of its bytes.
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
