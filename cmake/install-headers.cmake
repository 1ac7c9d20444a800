# Run at installation: the server's headers include each other from server/ ("pool/task.h"). Installed,
# they say "workpool/pool/task.h", so that no folder of the including program can be taken for ours.
file(GLOB_RECURSE headers
  "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${WORKPOOL_INCLUDEDIR}/workpool/*.h")
foreach(header IN LISTS headers)
  file(READ "${header}" text)
  string(REGEX REPLACE "#include \"(base|pool|jobs|runtime|app)/" "#include \"workpool/\\1/" text "${text}")
  file(WRITE "${header}" "${text}")
endforeach()
