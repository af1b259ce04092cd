# SPDX-License-Identifier: Apache-2.0
# What compressed meshes of glTF files need. TOUCHE_DRACO and TOUCHE_MESHOPT are ON or OFF after this. AUTO is ON if the
# library is installed; without it, nodes with such meshes are left out, with a remark that names the extension.
#
# touche_compression(OPTION PACKAGE TARGET) resolves one of them and adds the target to TOUCHE_COMPRESSION.
macro(touche_compression option package target)
  set(${option} AUTO CACHE STRING "Compressed meshes of glTF (needs ${package}): ON, OFF or AUTO")
  set_property(CACHE ${option} PROPERTY STRINGS AUTO ON OFF)
  if(${option} STREQUAL "AUTO")
    find_package(${package} QUIET)
    if(NOT ${package}_FOUND)
      message(STATUS "Built without compressed meshes of glTF that need ${package}")
    endif()
    set(${option} ${${package}_FOUND})
  elseif(${option})
    find_package(${package} REQUIRED)
  endif()
  if(${option})
    set(${option} ON)
    list(APPEND TOUCHE_COMPRESSION ${target})
  else()
    set(${option} OFF)
  endif()
endmacro()

set(TOUCHE_COMPRESSION "")
touche_compression(TOUCHE_DRACO draco draco::draco)
touche_compression(TOUCHE_MESHOPT meshoptimizer meshoptimizer::meshoptimizer)
# For pkg-config: meshoptimizer has no file for it.
set(TOUCHE_COMPRESSION_MODULES "")
set(TOUCHE_COMPRESSION_LIBRARIES "")
if(TOUCHE_DRACO)
  list(APPEND TOUCHE_COMPRESSION_MODULES draco)
endif()
if(TOUCHE_MESHOPT)
  list(APPEND TOUCHE_COMPRESSION_LIBRARIES -lmeshoptimizer)
endif()
