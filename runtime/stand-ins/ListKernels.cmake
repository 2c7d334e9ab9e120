# Writes all device kernels, one MOERT_KERNEL_NAME(name, threads) a line: of what
# stands as `extern "C" __global__ void __launch_bounds__(threads) NAME(` in FILES,
# to OUTPUT. A kernel without bounds is an error, since nvcc would compile it for
# blocks of any size, with fewer registers.
set(text "// Made by ListKernels.cmake.\n")
foreach(file ${FILES})
  file(READ "${file}" source)
  string(REGEX MATCHALL
    "extern \"C\" __global__ void[ \n]+[^(]*\\([^)]*\\)?[ \n]*[A-Za-z0-9_]*"
    kernels "${source}")
  foreach(kernel ${kernels})
    if(NOT kernel MATCHES
       "void[ \n]+__launch_bounds__\\(([0-9]+)[^)]*\\)[ \n]+([A-Za-z0-9_]+)$")
      message(FATAL_ERROR "${file}: expected __launch_bounds__(threads) of each "
        "kernel, got '${kernel}'")
    endif()
    string(APPEND text
      "MOERT_KERNEL_NAME(${CMAKE_MATCH_2}, ${CMAKE_MATCH_1})\n")
  endforeach()
endforeach()
file(WRITE "${OUTPUT}" "${text}")
