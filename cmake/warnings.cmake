# Our own code links this privately; generated code does not.
add_library(workpool_warnings INTERFACE)
target_compile_options(workpool_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>  # inside libstdc++ 12's stable_sort
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # GCC 12 warns wrongly about std::string
  $<$<BOOL:${WORKPOOL_WERROR}>:-Werror>)
