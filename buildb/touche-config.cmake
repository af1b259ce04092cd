# SPDX-License-Identifier: Apache-2.0
# find_package(touche [COMPONENTS io study]) gives touche::touche, and with the components (all of
# them when none is named) touche::io, mesh files, and touche::study, removal studies.

####### Expanded from @PACKAGE_INIT@ by configure_package_config_file() #######
####### Any changes to this file will be overwritten by the next CMake run ####
####### The input file was touche-config.cmake.in                            ########

get_filename_component(PACKAGE_PREFIX_DIR "${CMAKE_CURRENT_LIST_DIR}/../../../" ABSOLUTE)

macro(set_and_check _var _file)
  set(${_var} "${_file}")
  if(NOT EXISTS "${_file}")
    message(FATAL_ERROR "File or directory ${_file} referenced by variable ${_var} does not exist !")
  endif()
endmacro()

macro(check_required_components _NAME)
  foreach(comp ${${_NAME}_FIND_COMPONENTS})
    if(NOT ${_NAME}_${comp}_FOUND)
      if(${_NAME}_FIND_REQUIRED_${comp})
        set(${_NAME}_FOUND FALSE)
      endif()
    endif()
  endforeach()
endmacro()

####################################################################################
include(CMakeFindDependencyMacro)
find_dependency(Eigen3 3.4)
find_dependency(hwy)
find_dependency(TBB)
include(${CMAKE_CURRENT_LIST_DIR}/touche_targets.cmake)

if(NOT touche_FIND_COMPONENTS)
  set(touche_FIND_COMPONENTS io study)
endif()
if("study" IN_LIST touche_FIND_COMPONENTS)
  list(PREPEND touche_FIND_COMPONENTS io)  # a study reads mesh files
endif()
list(REMOVE_DUPLICATES touche_FIND_COMPONENTS)
foreach(component ${touche_FIND_COMPONENTS})
  if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/${component}_targets.cmake)
    find_dependency(fmt)
    find_dependency(assimp)
    include(${CMAKE_CURRENT_LIST_DIR}/${component}_targets.cmake)
    set(touche_${component}_FOUND TRUE)
  endif()
endforeach()
check_required_components(touche)
