# Builds of the runtime with other compilers and sanitizers for tests in
# test/runtime. They are targets of the build, so that they use all cores.
option(MOE_ENABLE_CHECK_BUILDS
       "Build the runtime with ThreadSanitizer and with GCC too, for tests" OFF)
set(MOE_CHECK_BUILDS "${PROJECT_BINARY_DIR}/builds")

# moe_add_check_build(<name> TARGETS <target>... ARGS <argument of cmake>...)
function(moe_add_check_build name)
  cmake_parse_arguments(ARG "" "" "TARGETS;ARGS" ${ARGN})
  add_custom_target(moert-check-${name} ALL
    COMMAND "${CMAKE_COMMAND}" -S "${PROJECT_SOURCE_DIR}/runtime"
            -B "${MOE_CHECK_BUILDS}/${name}" -G Ninja --log-level=WARNING
            -DCMAKE_UNITY_BUILD=${CMAKE_UNITY_BUILD} ${ARG_ARGS}
    COMMAND "${CMAKE_COMMAND}" --build "${MOE_CHECK_BUILDS}/${name}"
            --parallel 1 --target ${ARG_TARGETS}
    VERBATIM COMMENT "Building the runtime: ${name}")
endfunction()

if(NOT MOE_ENABLE_CHECK_BUILDS)
  return()
endif()
# Also without MPI and nvcc, so that tests see the messages about their absence.
moe_add_check_build(thread
  TARGETS moert-conformance MoERuntimeTests moert_stand_ins
  ARGS -DMOERT_SANITIZE=thread -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}
       -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DMOERT_ENABLE_KERNELS=OFF
       -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON -DCMAKE_BUILD_TYPE=Release
       -DMOERT_WARNINGS_AS_ERRORS=ON)
find_program(MOE_GXX g++)
find_program(MOE_GCC gcc)
if(TARGET moert_mpi AND MOE_GXX AND MOE_GCC)
  moe_add_check_build(gcc
    TARGETS moert_mpi moert-bench-mpi
    ARGS -DCMAKE_CXX_COMPILER=${MOE_GXX} -DCMAKE_C_COMPILER=${MOE_GCC}
         -DCMAKE_BUILD_TYPE=Debug)
endif()
