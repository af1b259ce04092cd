// SPDX-License-Identifier: Apache-2.0
#include "io/readers.h"

namespace touche::io {

PolygonSoup to_soup(MeshData mesh, const std::string& file) {
  try {
    PolygonSoup soup(mesh.coordinates, mesh.corners, mesh.face_sizes, mesh.face_groups,
                     std::move(mesh.group_names));
    soup.set_weld_result(mesh.weld);
    for (std::string& remark : mesh.remarks) soup.add_remark(std::move(remark));
    return soup;
  } catch (const InvalidInput& error) {
    throw LoadError(file, "", error.what());
  }
}

}  // namespace touche::io
