# Writes the names of all device kernels, one MOERT_KERNEL_NAME(name) a line: of
# what stands as `extern "C" __global__ void NAME(` in FILES, to OUTPUT.
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
