# The programs of a release build are optimised as a whole: the floors of the server are libraries,
# and without this nothing is inlined from one file into another. Ordinary machine code is kept
# beside, for whoever links the installed libraries with another compiler (package.cmake).
option(WORKPOOL_LTO "Optimise whole programs (GCC)" OFF)
if(WORKPOOL_LTO)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
  add_compile_options(-ffat-lto-objects)
endif()
