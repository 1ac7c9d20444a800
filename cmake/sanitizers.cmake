# Instruments everything, generated code included: a sanitizer sees only what it has compiled.
set(WORKPOOL_SANITIZE "" CACHE STRING "What -fsanitize= gets, for example address,undefined")
option(WORKPOOL_FUZZ "Build the fuzz targets (clang only)" OFF)

if(WORKPOOL_SANITIZE)
  add_compile_options(-fsanitize=${WORKPOOL_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -O1 -g1)
  # The check of an object's type reads memory through a pipe: in the tests that leave no descriptor
  # for one it takes what is right for wrong.
  if(WORKPOOL_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize=vptr)
  endif()
  add_link_options(-fsanitize=${WORKPOOL_SANITIZE})
endif()
if(WORKPOOL_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
