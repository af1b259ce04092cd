// SPDX-License-Identifier: Apache-2.0
#include "io/foreign_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/ending.h"
#include "touche/io.h"

namespace touche::io {
namespace {

constexpr std::string_view kSolids = "export its parts as STL, 3MF or glTF",
                           kMeshes = "export it as glTF, OBJ or STL",
                           kLines = "save it as DXF or SVG";

struct Kind {
  std::string_view ending, what, instead;
};
constexpr std::array kKinds = {Kind{".step", "a STEP file", kSolids},
                               Kind{".stp", "a STEP file", kSolids},
                               Kind{".stpz", "a STEP file", kSolids},
                               Kind{".p21", "a STEP file", kSolids},
                               Kind{".iges", "an IGES file", kSolids},
                               Kind{".igs", "an IGES file", kSolids},
                               Kind{".brep", "a BREP file", kSolids},
                               Kind{".sldprt", "a SolidWorks file", kSolids},
                               Kind{".sldasm", "a SolidWorks file", kSolids},
                               Kind{".catpart", "a CATIA file", kSolids},
                               Kind{".catproduct", "a CATIA file", kSolids},
                               Kind{".ipt", "an Inventor file", kSolids},
                               Kind{".iam", "an Inventor file", kSolids},
                               Kind{".prt", "a CAD file", kSolids},
                               Kind{".asm", "a CAD file", kSolids},
                               Kind{".par", "a CAD file", kSolids},
                               Kind{".x_t", "a Parasolid file", kSolids},
                               Kind{".x_b", "a Parasolid file", kSolids},
                               Kind{".sat", "an ACIS file", kSolids},
                               Kind{".jt", "a JT file", kSolids},
                               Kind{".3dm", "a Rhino file", kSolids},
                               Kind{".fcstd", "a FreeCAD file", kSolids},
                               Kind{".f3d", "a Fusion file", kSolids},
                               Kind{".scad", "an OpenSCAD file", kSolids},
                               Kind{".ifc", "an IFC file", kSolids},
                               Kind{".amf", "an AMF file", kMeshes},
                               Kind{".fbx", "an FBX file", kMeshes},
                               Kind{".blend", "a Blender file", kMeshes},
                               Kind{".3ds", "a 3DS file", kMeshes},
                               Kind{".usd", "a USD file", kMeshes},
                               Kind{".usda", "a USD file", kMeshes},
                               Kind{".usdc", "a USD file", kMeshes},
                               Kind{".usdz", "a USD file", kMeshes},
                               Kind{".wrl", "a VRML file", kMeshes},
                               Kind{".x3d", "an X3D file", kMeshes},
                               Kind{".vtk", "a VTK file", kMeshes},
                               Kind{".msh", "a mesh file of a solver", kMeshes},
                               Kind{".dwg", "a DWG drawing", kLines},
                               Kind{".pdf", "a PDF file", kLines},
                               Kind{".ai", "an Illustrator file", kLines},
                               Kind{".eps", "an EPS file", kLines}};

}  // namespace

std::string foreign_file(const std::filesystem::path& file) {
  const std::string ending = base::ending_of(file);
  const auto* kind =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& k) { return k.ending == ending; });
  if (kind == kKinds.end()) return "";
  return fmt::format("{}: {}", kind->what, kind->instead);
}

void check_ending(const std::filesystem::path& file) {
  if (is_assembly(file) || is_face_list(file)) return;
  const std::string ending = base::ending_of(file), name = file.string();
  if (ending == ".svg" || ending == ".dxf")
    throw LoadError(name, "",
                    "a drawing of the plane, where a mesh is needed: touche sheet makes one of it");
  if (std::filesystem::is_directory(file))
    throw LoadError(name, "", "this is a directory, not a mesh file");
  if (const std::string what = foreign_file(file); !what.empty())
    throw LoadError(name, "", "not read, it is " + what);
  throw LoadError(
      name, "",
      "unknown ending '" + ending + "'; known are .obj .stl .ply .off .gltf .glb .3mf .dae");
}

}  // namespace touche::io
