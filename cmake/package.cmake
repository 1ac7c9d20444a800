# find_package(workpool) for programs outside this tree: workpool::pool, workpool::daemon,
# workpool::async and workpool::client (docs/embedding.md). Libraries add themselves to the export set
# workpool-targets.
include(CMakePackageConfigHelpers)
set(WORKPOOL_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/workpool)

install(EXPORT workpool-targets NAMESPACE workpool:: DESTINATION ${WORKPOOL_CMAKE_DIR})
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/workpool-config.cmake.in
  ${PROJECT_BINARY_DIR}/workpool-config.cmake
  INSTALL_DESTINATION ${WORKPOOL_CMAKE_DIR})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/workpool-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/workpool-config.cmake
              ${PROJECT_BINARY_DIR}/workpool-config-version.cmake
  DESTINATION ${WORKPOOL_CMAKE_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/config/workpool.toml
  DESTINATION ${CMAKE_INSTALL_DATADIR}/workpool)
if(WORKPOOL_LTO)
  # Another version of the compiler refuses what this one keeps for its own linking.
  install(CODE "
    file(GLOB archives \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libworkpool_*.a\")
    if(NOT archives)
      message(FATAL_ERROR \"no installed libraries to strip\")
    endif()
    foreach(archive IN LISTS archives)
      execute_process(COMMAND ${CMAKE_OBJCOPY} --wildcard --remove-section=.gnu.lto_*
        --remove-section=.gnu.debuglto_* --strip-symbol=__gnu_lto_v1 \${archive}
        COMMAND_ERROR_IS_FATAL ANY)
    endforeach()")
endif()
