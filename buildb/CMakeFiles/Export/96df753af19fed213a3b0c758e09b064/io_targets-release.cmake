#----------------------------------------------------------------
# Generated CMake target import file for configuration "Release".
#----------------------------------------------------------------

# Commands may need to know the format version.
set(CMAKE_IMPORT_FILE_VERSION 1)

# Import target "touche::io" for configuration "Release"
set_property(TARGET touche::io APPEND PROPERTY IMPORTED_CONFIGURATIONS RELEASE)
set_target_properties(touche::io PROPERTIES
  IMPORTED_LINK_INTERFACE_LANGUAGES_RELEASE "CXX"
  IMPORTED_LOCATION_RELEASE "${_IMPORT_PREFIX}/lib/libtouche_io.a"
  )

list(APPEND _cmake_import_check_targets touche::io )
list(APPEND _cmake_import_check_files_for_touche::io "${_IMPORT_PREFIX}/lib/libtouche_io.a" )

# Commands beyond this point should not need to know the version.
set(CMAKE_IMPORT_FILE_VERSION)
