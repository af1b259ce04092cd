# SPDX-License-Identifier: Apache-2.0
# Most of a build's time goes to headers that all sources share, so several sources are compiled as one.
# Names in unnamed namespaces are therefore different in all files of a folder.
option(TOUCHE_UNITY "Compile several sources at a time" ${PROJECT_IS_TOP_LEVEL})
set(TOUCHE_UNITY_SIZE 8 CACHE STRING "How many sources are compiled at a time")
mark_as_advanced(TOUCHE_UNITY_SIZE)

set(TOUCHE_SIMD_TARGETS all CACHE STRING
    "Instruction sets of vector code: all that are of use; baseline, that of the compiler's options; native, this machine's")
set_property(CACHE TOUCHE_SIMD_TARGETS PROPERTY STRINGS all baseline native)
if(NOT TOUCHE_SIMD_TARGETS MATCHES "^(all|baseline|native)$")
  message(FATAL_ERROR "TOUCHE_SIMD_TARGETS is all, baseline or native, not ${TOUCHE_SIMD_TARGETS}")
endif()

# touche_unity(RESULT NAME ROOT SOURCES...)
#
# Sets RESULT to the files to compile instead of the SOURCES (absolute paths below ROOT): each includes
# several of them. Unlike the files of CMAKE_UNITY_BUILD they are the same in all checkouts, so that
# ccache can share their objects. Highway compiles sources named *_simd.cpp once per processor type, so
# they are compiled alone, and TOUCHE_SIMD_TARGETS concerns only them. With `native` the linker may use their copies
# of inline functions everywhere, so the program runs only on machines like this one. The undefined-behaviour
# sanitizer makes Clang compile them five times as long and finds little in them, so it is disabled there.
function(touche_unity result name root)
  set(alone ${ARGN})
  list(FILTER alone INCLUDE REGEX "_simd\\.cpp$")
  if(NOT TOUCHE_SIMD_TARGETS STREQUAL "all")
    set_source_files_properties(${alone} PROPERTIES COMPILE_DEFINITIONS HWY_COMPILE_ONLY_STATIC)
  endif()
  if(TOUCHE_SIMD_TARGETS STREQUAL "native")
    set_source_files_properties(${alone} PROPERTIES COMPILE_OPTIONS -march=native SKIP_PRECOMPILE_HEADERS ON)
  endif()
  if(NOT TOUCHE_UNITY)
    set(${result} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  if(TOUCHE_SANITIZE)
    set_source_files_properties(${alone} PROPERTIES COMPILE_OPTIONS -fno-sanitize=undefined)
  endif()
  set(sources ${ARGN})
  list(FILTER sources EXCLUDE REGEX "_simd\\.cpp$")
  set(number 0)
  set(files)
  while(sources)
    list(SUBLIST sources 0 ${TOUCHE_UNITY_SIZE} some)
    list(REMOVE_ITEM sources ${some})
    list(TRANSFORM some REPLACE "^${root}/(.+)$" "#include \"\\1\"")
    list(JOIN some "\n" includes)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/unity/${name}_${number}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${includes}\n" @ONLY)
    list(APPEND files ${file})
    math(EXPR number "${number} + 1")
  endwhile()
  set(${result} ${files} ${alone} PARENT_SCOPE)
endfunction()
