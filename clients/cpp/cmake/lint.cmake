# A stamp for each file that the linters are content with.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS include/*.h program/*.h)
file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/*.cc program/*.cc tests/*.cc examples/*.cc)
if(NOT BUILD_TESTING)
  list(FILTER sources EXCLUDE REGEX "/tests/")
endif()
set(stamps "${CMAKE_CURRENT_BINARY_DIR}/lint")
file(MAKE_DIRECTORY "${stamps}")

set(contented "${stamps}/format")
add_custom_command(
  OUTPUT "${stamps}/format"
  COMMAND "${TARNEEB_LINTERS}/clang-format" --dry-run --Werror ${headers} ${sources}
  COMMAND "${CMAKE_COMMAND}" -E touch "${stamps}/format"
  DEPENDS ${headers} ${sources} "${CMAKE_CURRENT_SOURCE_DIR}/.clang-format"
  VERBATIM)
foreach(source IN LISTS sources)
  cmake_path(GET source FILENAME name)
  add_custom_command(
    OUTPUT "${stamps}/${name}"
    COMMAND "${TARNEEB_LINTERS}/clang-tidy" --quiet -p "${CMAKE_CURRENT_BINARY_DIR}" "${source}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamps}/${name}"
    DEPENDS "${source}" ${headers} ${stubs} ${details} ${files} "${CMAKE_CURRENT_SOURCE_DIR}/.clang-tidy"
    VERBATIM)
  list(APPEND contented "${stamps}/${name}")
endforeach()
add_custom_target(lint ALL DEPENDS ${contented})
