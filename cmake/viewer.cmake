# SPDX-License-Identifier: Apache-2.0
# The viewer. Node makes both sides' readers and writers of messages from the one schema, and the
# page, which becomes a part of the library. Outputs are regenerated only if their inputs changed.
set(viewer_folder ${PROJECT_SOURCE_DIR}/viewer)
set(generated_folder ${PROJECT_BINARY_DIR}/generated/viewer)
set(bundle_folder ${PROJECT_BINARY_DIR}/viewer-bundle)

set(generate_protocol ${viewer_folder}/tools/generate_protocol.mjs)
file(GLOB protocol_inputs CONFIGURE_DEPENDS viewer/tools/protocol/*.mjs)
list(APPEND protocol_inputs ${generate_protocol} ${viewer_folder}/protocol/messages.json)
add_custom_command(
  OUTPUT ${generated_folder}/protocol.h ${generated_folder}/protocol.cpp
  COMMAND ${TOUCHE_NODE} ${generate_protocol} --cpp ${generated_folder}
  COMMAND ${CMAKE_COMMAND} -E touch ${generated_folder}/protocol.h ${generated_folder}/protocol.cpp
  DEPENDS ${protocol_inputs}
  VERBATIM)

# In the source folder, where Node and editors look for packages; all build folders share them.
# Install scripts of packages are disabled: none of these packages needs one.
set(packages ${viewer_folder}/node_modules/.touche-installed)
add_custom_command(
  OUTPUT ${packages}
  COMMAND ${TOUCHE_NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
  COMMAND ${CMAKE_COMMAND} -E touch ${packages}
  DEPENDS ${viewer_folder}/package.json ${viewer_folder}/package-lock.json
  WORKING_DIRECTORY ${viewer_folder}
  COMMENT "Installing the packages of the viewer's page"
  VERBATIM)

file(GLOB_RECURSE page_inputs CONFIGURE_DEPENDS viewer/src/*)
list(FILTER page_inputs EXCLUDE REGEX "/src/protocol\\.ts$")
file(GLOB page_files CONFIGURE_DEPENDS viewer/*.html viewer/*.svg viewer/tools/*.mjs)
set(bundle ${bundle_folder}/index.html)
add_custom_command(
  OUTPUT ${bundle}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${bundle_folder}
  COMMAND ${TOUCHE_NODE} ${generate_protocol} --ts ${viewer_folder}/src/protocol.ts
  COMMAND ${TOUCHE_NODE} ${viewer_folder}/tools/bundle.mjs --out ${bundle_folder}
  COMMAND ${CMAKE_COMMAND} -E touch ${bundle}
  DEPENDS ${packages} ${page_inputs} ${page_files} ${protocol_inputs} ${viewer_folder}/tsconfig.json
  COMMENT "Bundling the viewer's page"
  VERBATIM)
add_custom_command(
  OUTPUT ${generated_folder}/assets.cpp
  COMMAND ${TOUCHE_NODE} ${viewer_folder}/tools/embed.mjs ${bundle_folder} ${generated_folder}/assets.cpp
  DEPENDS ${bundle} ${viewer_folder}/tools/embed.mjs ${viewer_folder}/policy.txt
  VERBATIM)

touche_library(viewer SOURCES viewer ALONE viewer/client.cpp viewer/server.cpp
               PUBLIC touche touche_world touche_dynamics touche_methods touche_io touche_study
                      touche_clash touche_simulation
               PRIVATE touche_report $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>
                       $<BUILD_INTERFACE:Boost::headers> fmt::fmt TBB::tbb ZLIB::ZLIB
               PKG_CONFIG touche_simulation touche_clash touche_methods touche_report fmt tbb zlib)
target_sources(touche_viewer PRIVATE ${generated_folder}/protocol.h ${generated_folder}/protocol.cpp
                                     ${generated_folder}/assets.cpp)
target_include_directories(touche_viewer PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>)
# These sources wait for the network, not for the processor, and compile a third faster like this.
set_source_files_properties(src/viewer/client.cpp src/viewer/server.cpp PROPERTIES
  COMPILE_OPTIONS $<$<CONFIG:Release>:-O1> SKIP_UNITY_BUILD_INCLUSION ON)
# Generates the files that checks of the sources need, without compiling anything.
add_custom_target(touche_viewer_generated DEPENDS ${generated_folder}/protocol.h ${generated_folder}/assets.cpp)
