# Install rules, and the CMake package that find_package(MoEMLIR) finds.
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY MOE_LIBRARIES)
get_property(tools GLOBAL PROPERTY MOE_TOOLS)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/MoEMLIR")

# Debian keeps libMLIR outside of the loader's path, so the installed tools need
# an RPATH, as the tools in the build tree do.
set_target_properties(${tools} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)

install(TARGETS ${libraries} EXPORT MoEMLIRTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(TARGETS ${tools}
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
if(TARGET MoEPlugin)
  set_target_properties(MoEPlugin PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS MoEPlugin
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()

# The C API: one shared library that contains all our libraries.
set_target_properties(MoEC PROPERTIES EXPORT_NAME moe-c)
install(TARGETS MoEC EXPORT MoEMLIRTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/moe-c"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

# The Python package over the C API, where Debian's Python finds it if the
# prefix is /usr.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/moe_mlir"
  DESTINATION lib/python3/dist-packages
  FILES_MATCHING PATTERN "*.py" PATTERN "*.cc" PATTERN "*.h" PATTERN "py.typed"
  PATTERN __pycache__ EXCLUDE PATTERN native EXCLUDE)

# Hand-written and generated headers, and the TableGen files on which others may
# build their own ops: all are found as moe/...
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/moe"
                  "${PROJECT_BINARY_DIR}/include/moe"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "*.td")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/dialects/moe"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.td")

# The pages and the files they link to, at the same relative paths as in the
# tree.
install(FILES "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
  "${PROJECT_SOURCE_DIR}/CONTRIBUTING.md" "${PROJECT_SOURCE_DIR}/LICENSE"
  "${PROJECT_SOURCE_DIR}/README.md"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}")
foreach(folder docs examples platforms)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}"
    DESTINATION "${CMAKE_INSTALL_DOCDIR}"
    PATTERN __pycache__ EXCLUDE)
endforeach()
file(GLOB_RECURSE pages RELATIVE "${PROJECT_SOURCE_DIR}"
  "${PROJECT_SOURCE_DIR}/bench/results/*.md"
  "${PROJECT_SOURCE_DIR}/bench/results/*.svg"
  "${PROJECT_SOURCE_DIR}/dialects/*.md"
  "${PROJECT_SOURCE_DIR}/runtime/*.md"
  "${PROJECT_SOURCE_DIR}/test/docs/Inputs/*.patch")
foreach(page ${pages})
  get_filename_component(folder "${page}" DIRECTORY)
  install(FILES "${PROJECT_SOURCE_DIR}/${page}"
    DESTINATION "${CMAKE_INSTALL_DOCDIR}/${folder}")
endforeach()

install(EXPORT MoEMLIRTargets
  NAMESPACE MoEMLIR::
  DESTINATION "${package_dir}")
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/MoEMLIRConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/MoEMLIRConfig.cmake"
  INSTALL_DESTINATION "${package_dir}"
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/MoEMLIRConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/MoEMLIRConfig.cmake"
  "${PROJECT_BINARY_DIR}/MoEMLIRConfigVersion.cmake"
  DESTINATION "${package_dir}")
