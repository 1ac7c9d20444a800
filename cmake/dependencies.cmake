# Everything comes from Debian's packages; README lists each with its reason. Protobuf in module mode
# must come before gRPC.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Protobuf REQUIRED)
find_package(gRPC CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(tomlplusplus CONFIG REQUIRED)
find_package(prometheus-cpp CONFIG REQUIRED)
find_package(CLI11 CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
find_library(TCMALLOC_LIBRARY tcmalloc_minimal REQUIRED)
add_library(tcmalloc UNKNOWN IMPORTED)
set_target_properties(tcmalloc PROPERTIES IMPORTED_LOCATION ${TCMALLOC_LIBRARY})

# Debian's Asio has no config file.
find_path(ASIO_INCLUDE_DIR asio.hpp REQUIRED)
add_library(workpool_asio INTERFACE)
target_include_directories(workpool_asio SYSTEM INTERFACE $<BUILD_INTERFACE:${ASIO_INCLUDE_DIR}>)
target_compile_definitions(workpool_asio INTERFACE ASIO_STANDALONE ASIO_NO_DEPRECATED
  $<$<CXX_COMPILER_ID:Clang>:ASIO_HAS_CO_AWAIT=1>
  $<$<CXX_COMPILER_ID:Clang>:ASIO_HAS_STD_COROUTINE=1>)
target_link_libraries(workpool_asio INTERFACE Threads::Threads)
set_target_properties(workpool_asio PROPERTIES EXPORT_NAME asio)
