# SPDX-License-Identifier: Apache-2.0
# The viewer. Readers and writers of its messages are made from the one schema by Node.
set(protocol_folder ${PROJECT_BINARY_DIR}/generated/viewer)
set(generate_protocol ${PROJECT_SOURCE_DIR}/viewer/tools/generate_protocol.mjs)
file(GLOB protocol_inputs CONFIGURE_DEPENDS viewer/tools/protocol/*.mjs)
add_custom_command(
  OUTPUT ${protocol_folder}/protocol.h ${protocol_folder}/protocol.cpp
  COMMAND ${TOUCHE_NODE} ${generate_protocol} --cpp ${protocol_folder}
  COMMAND ${CMAKE_COMMAND} -E touch ${protocol_folder}/protocol.h ${protocol_folder}/protocol.cpp
  DEPENDS ${generate_protocol} ${protocol_inputs} ${PROJECT_SOURCE_DIR}/viewer/protocol/messages.json
  VERBATIM)

touche_library(viewer SOURCES viewer
               PUBLIC touche touche_world touche_dynamics touche_methods touche_io touche_study
                      touche_clash touche_simulation
               PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> fmt::fmt TBB::tbb
               PKG_CONFIG touche_simulation touche_clash touche_methods fmt tbb)
target_sources(touche_viewer PRIVATE ${protocol_folder}/protocol.h ${protocol_folder}/protocol.cpp)
target_include_directories(touche_viewer PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>)
