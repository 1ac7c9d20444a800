# The programs of a release build carry gRPC, Protobuf, Abseil and the allocator in themselves: their
# calls of each other and of thread-local variables cost less so, 7 % of the processor time that a
# job takes (docs/performance.md). All else stays shared, above all OpenSSL and zlib, which are
# updated for their security.
option(WORKPOOL_STATIC_RPC "Release programs carry gRPC, Protobuf, Abseil and tcmalloc" ON)

# Lets release builds take the archive beside a shared library, if Debian brings one.
function(workpool_take_archive library)
  get_target_property(shared ${library} IMPORTED_LOCATION_NONE)
  if(NOT shared)
    get_target_property(shared ${library} IMPORTED_LOCATION)
  endif()
  string(REGEX REPLACE "\\.so[.0-9]*$" ".a" archive "${shared}")
  if(EXISTS "${archive}")
    set_property(TARGET ${library} APPEND PROPERTY IMPORTED_CONFIGURATIONS RELEASE)
    set_target_properties(${library} PROPERTIES IMPORTED_LOCATION_RELEASE "${archive}")
  endif()
endfunction()

# The same for all that `libraries` link of those names.
function(workpool_take_archives names)
  set(left ${ARGN})
  set(seen)
  while(left)
    list(POP_FRONT left library)
    if(library IN_LIST seen OR NOT library MATCHES "${names}" OR NOT TARGET ${library})
      continue()
    endif()
    list(APPEND seen ${library})
    get_target_property(type ${library} TYPE)
    if(NOT type STREQUAL INTERFACE_LIBRARY)
      workpool_take_archive(${library})
    endif()
    get_target_property(links ${library} INTERFACE_LINK_LIBRARIES)
    if(links)
      list(APPEND left ${links})
    endif()
  endwhile()
endfunction()

if(WORKPOOL_STATIC_RPC)
  workpool_take_archives("^(gRPC|protobuf|absl)::"
    gRPC::grpc++ gRPC::grpc++_reflection protobuf::libprotobuf)
  workpool_take_archive(tcmalloc)
endif()
