# SPDX-License-Identifier: Apache-2.0
include(GNUInstallDirs)

# touche_library(COMPONENT SOURCES FOLDERS OF src... [ALONE FILES...] [PUBLIC LIBRARIES...]
#                [PRIVATE LIBRARIES...] [PKG_CONFIG MODULES...] [PKG_CONFIG_LIBRARIES OPTIONS...])
#
# Adds the target touche_COMPONENT, in and outside of the project called touche::COMPONENT; the
# component `core` is touche and touche::touche. FILES of src are compiled alone. Static, or shared where
# BUILD_SHARED_LIBS says so.
# Installs it with a CMake export of its own, so that a user of the core needs nothing that other
# components need, and with a file for pkg-config that names the MODULES it links, and the OPTIONS that link
# libraries without such a file.
function(touche_library component)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;ALONE;PUBLIC;PRIVATE;PKG_CONFIG;PKG_CONFIG_LIBRARIES")
  set(name ${component})
  set(target touche_${component})
  if(component STREQUAL "core")
    set(name touche)
    set(target touche)
  endif()
  list(TRANSFORM arg_ALONE PREPEND "${PROJECT_SOURCE_DIR}/src/" OUTPUT_VARIABLE sources)
  foreach(folder ${arg_SOURCES})
    file(GLOB files CONFIGURE_DEPENDS src/${folder}/*.cpp)
    list(REMOVE_ITEM files ${sources})
    string(REPLACE "/" "_" name_of_folder ${folder})
    touche_unity(files ${name_of_folder} ${PROJECT_SOURCE_DIR}/src ${files})
    list(APPEND sources ${files})
  endforeach()
  add_library(${target} ${sources})
  add_library(touche::${name} ALIAS ${target})
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE src)
  target_link_libraries(${target} PUBLIC ${arg_PUBLIC}
                        PRIVATE $<BUILD_INTERFACE:touche_options> ${arg_PRIVATE})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} VISIBILITY_INLINES_HIDDEN ON
                        POSITION_INDEPENDENT_CODE ON
                        VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(BUILD_SHARED_LIBS)
    # Components use each other's internals, so all of namespace touche is exported, and nothing else.
    # Calls within a library cannot be intercepted by another library's function.
    set(script ${PROJECT_SOURCE_DIR}/cmake/exports.map)
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    target_link_options(${target} PRIVATE -Wl,-Bsymbolic-functions -Wl,--version-script=${script}
                        -Wl,-z,defs)  # all that it uses is in it or in what it is linked with
    set_target_properties(${target} PROPERTIES LINK_DEPENDS ${script})
  else()
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden)
  endif()

  install(TARGETS ${target} EXPORT ${component}_targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT ${component}_targets NAMESPACE touche:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/touche)
  file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  list(JOIN arg_PKG_CONFIG " " modules)
  list(JOIN arg_PKG_CONFIG_LIBRARIES " " libraries)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/touche.pc.in ${target}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${target}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
