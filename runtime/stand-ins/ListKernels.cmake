# Writes one line MOERT_KERNEL_NAME(name) to OUTPUT per device kernel: the
# functions in FILES that are declared as `extern "C" __global__ void NAME(`.
set(text "// Made by ListKernels.cmake.\n")
foreach(file ${FILES})
  file(READ "${file}" source)
  string(REGEX MATCHALL
    "extern \"C\" __global__ void[ \n]+(__launch_bounds__\\([^)]*\\)[ \n]+)?[A-Za-z0-9_]+[ \n]*\\("
    kernels "${source}")
  foreach(kernel ${kernels})
    string(REGEX REPLACE ".*[ \n]([A-Za-z0-9_]+)[ \n]*\\($" "\\1" name
           "${kernel}")
    string(APPEND text "MOERT_KERNEL_NAME(${name})\n")
  endforeach()
endforeach()
file(WRITE "${OUTPUT}" "${text}")
