# What `cmake --install` and `cpack` deliver: the program, the portability header, the public headers, and the rooms as
# static libraries with a package: find_package(wattune) and link wattune::wattune.
include(CMakePackageConfigHelpers)

get_property(wattune_rooms GLOBAL PROPERTY WATTUNE_ROOMS)
add_library(wattune_all INTERFACE)
set_target_properties(wattune_all PROPERTIES EXPORT_NAME wattune)
target_link_libraries(wattune_all INTERFACE ${wattune_rooms})
add_library(wattune::wattune ALIAS wattune_all)

install(TARGETS wattune-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(FILES share/wattune/portable.h DESTINATION ${CMAKE_INSTALL_DATADIR}/wattune COMPONENT program)
install(DIRECTORY include/wattune DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(TARGETS wattune_all ${wattune_rooms} EXPORT wattuneTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/wattune)
install(EXPORT wattuneTargets NAMESPACE wattune:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(cmake/wattuneConfig.cmake.in ${PROJECT_BINARY_DIR}/wattuneConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wattuneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wattuneConfig.cmake ${PROJECT_BINARY_DIR}/wattuneConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Wattune developers <wattune@localhost>")
set(CPACK_PACKAGE_VENDOR "The Wattune developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME wattune)
# Device libraries are loaded at run time; PoCL makes the CPU a device where there is no other.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "ocl-icd-libopencl1, pocl-opencl-icd")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libwattune-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libfmt-dev, nlohmann-json3-dev, libtomlplusplus-dev, libsimdjson-dev, libeigen3-dev, libsqlite3-dev, zlib1g-dev, libbz2-dev, libdeflate-dev")
include(CPack)
