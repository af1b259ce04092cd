# SPDX-License-Identifier: Apache-2.0
# The program touche, with the sub-commands and options of the components that are built. All others are errors that
# name the CMake option that adds them.
find_package(CLI11 REQUIRED)
file(GLOB cli_sources CONFIGURE_DEPENDS cli/*.cpp)
set(absent_commands "")

# touche_cli_needs(COMPONENT [COMMANDS NAMES...] [FILES NAMES...])
#
# Leaves out cli/NAME.cpp if TOUCHE_COMPONENT is off. An error replaces each of the COMMANDS, cli/no_NAME.cpp each of
# the FILES, if it exists.
macro(touche_cli_needs component)
  cmake_parse_arguments(needs "" "" "COMMANDS;FILES" ${ARGN})
  foreach(name ${needs_COMMANDS} ${needs_FILES})
    if(TOUCHE_${component})
      list(FILTER cli_sources EXCLUDE REGEX "/cli/no_${name}\\.cpp$")
    else()
      list(FILTER cli_sources EXCLUDE REGEX "/cli/${name}\\.cpp$")
    endif()
  endforeach()
  if(NOT TOUCHE_${component})
    foreach(name ${needs_COMMANDS})
      string(APPEND absent_commands
             "void add_${name}(Program& program) { add_absent(program, \"${name}\", \"TOUCHE_${component}\"); }\n")
    endforeach()
  endif()
endmacro()

touche_cli_needs(CLASH COMMANDS clash)
touche_cli_needs(SIMULATION COMMANDS handle simulate)
touche_cli_needs(METHODS COMMANDS calibrate evaluate zoo FILES directions tree_options trees)
touche_cli_needs(DYNAMICS FILES separation clash_moves)
if(NOT TOUCHE_CLASH)
  list(FILTER cli_sources EXCLUDE REGEX "/cli/(no_)?clash_moves\\.cpp$")
endif()
touche_cli_needs(VIEWER FILES browser kept_address view)

touche_unity(cli_sources cli ${PROJECT_SOURCE_DIR}/cli ${cli_sources})
if(absent_commands)
  file(CONFIGURE OUTPUT absent_commands.cpp @ONLY CONTENT
       "#include \"absent.h\"\n#include \"commands.h\"\n\nnamespace touche::cli {\n${absent_commands}}\n")
  list(APPEND cli_sources ${CMAKE_CURRENT_BINARY_DIR}/absent_commands.cpp)
endif()
add_executable(touche_cli ${cli_sources})
target_include_directories(touche_cli PRIVATE cli)
set_target_properties(touche_cli PROPERTIES OUTPUT_NAME touche)
# Completion and manual pages are generated from --help.
add_custom_command(TARGET touche_cli POST_BUILD
                   COMMAND touche_cli generate ${PROJECT_BINARY_DIR}/share)
target_link_libraries(touche_cli PRIVATE touche_options touche_study touche_scenes nlohmann_json::nlohmann_json
                      CLI11::CLI11 fmt::fmt)
foreach(library touche_dynamics touche_evaluation touche_clash touche_simulation touche_viewer)
  if(TARGET ${library})
    target_link_libraries(touche_cli PRIVATE ${library})
  endif()
endforeach()
