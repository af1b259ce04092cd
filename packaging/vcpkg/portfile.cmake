# SPDX-License-Identifier: Apache-2.0
vcpkg_from_github(
  OUT_SOURCE_PATH SOURCE_PATH
  REPO touche/touche
  REF "v${VERSION}"
  SHA512 0
)
vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURES
  FEATURES
    io    TOUCHE_IO
    study TOUCHE_STUDY
    study TOUCHE_CLASH
    world TOUCHE_WORLD
    world TOUCHE_DYNAMICS
)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${FEATURES}
    -DTOUCHE_CLI=OFF -DTOUCHE_TESTS=OFF -DTOUCHE_EXAMPLES=OFF -DTOUCHE_METHODS=OFF -DTOUCHE_VIEWER=OFF
    -DTOUCHE_DRACO=OFF -DTOUCHE_MESHOPT=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/touche)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
