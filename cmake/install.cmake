# SPDX-License-Identifier: Apache-2.0
# cmake --install: headers, libraries, CMake package, the program and its schemas.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/touche)

install(DIRECTORY include/touche DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(GLOB schemas CONFIGURE_DEPENDS docs/*.schema.json)
install(FILES ${schemas} DESTINATION ${CMAKE_INSTALL_DATADIR}/touche)

if(TARGET touche_cli)
  install(TARGETS touche_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR})
endif()

configure_package_config_file(cmake/touche-config.cmake.in touche-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(touche-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/touche-config.cmake
              ${PROJECT_BINARY_DIR}/touche-config-version.cmake
        DESTINATION ${package_dir})
