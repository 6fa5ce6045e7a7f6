# Every public header compiled alone, twice included, with nothing but the standard library beside it.
# Target header_check; the test check.headers builds it.

file(GLOB public_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/wattune/*.hpp)
set(header_sources)
foreach(header IN LISTS public_headers)
  get_filename_component(stem ${header} NAME_WE)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/header_check/${stem}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
  list(APPEND header_sources ${source})
endforeach()
add_library(header_check OBJECT ${header_sources})
target_include_directories(header_check PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_compile_options(header_check PRIVATE -Wall -Wextra -Wpedantic -Werror)

add_test(NAME check.headers COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target header_check)
