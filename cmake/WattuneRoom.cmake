# A room is a static library wattune_<name> of all sources in src/<name>; see ARCHITECTURE.md for the levels.

function(wattune_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra $<$<BOOL:${WATTUNE_WERROR}>:-Werror>
    # GCC 12 and 13 see an impossible overlap in "text" + std::string (GCC bug 105651).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,14>>:-Wno-restrict>)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
endfunction()

function(wattune_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" "DEPENDS;LIBRARIES")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(wattune_${name} STATIC ${sources})
  add_library(wattune::${name} ALIAS wattune_${name})
  set_property(GLOBAL APPEND PROPERTY WATTUNE_ROOMS wattune_${name})
  set_target_properties(wattune_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(wattune_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM room_DEPENDS PREPEND wattune_)
  target_link_libraries(wattune_${name} PUBLIC ${room_DEPENDS} PRIVATE ${room_LIBRARIES} fmt::fmt Threads::Threads ${CMAKE_DL_LIBS})
  wattune_flags(wattune_${name})
endfunction()

# An executable of GoogleTest tests, each known to ctest by its own name.
# wattune_test(NAME unit_expr SOURCES a.cpp b.cpp ROOMS expr space [LIBRARIES ...])
function(wattune_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME" "SOURCES;ROOMS;LIBRARIES")
  add_executable(${test_NAME} ${test_SOURCES})
  list(TRANSFORM test_ROOMS PREPEND wattune_)
  target_link_libraries(${test_NAME} PRIVATE ${test_ROOMS} ${test_LIBRARIES} fmt::fmt GTest::gtest_main GTest::gmock Threads::Threads)
  target_include_directories(${test_NAME} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
  target_compile_definitions(${test_NAME} PRIVATE WATTUNE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  wattune_flags(${test_NAME})
  # The kind of a test (unit, property, integration, device) is the first word of its name and its label in ctest.
  string(REGEX MATCH "^[a-z]+" label ${test_NAME})
  gtest_discover_tests(${test_NAME} TEST_PREFIX ${test_NAME}. DISCOVERY_TIMEOUT 120
                       PROPERTIES LABELS ${label} TIMEOUT 300)
endfunction()
