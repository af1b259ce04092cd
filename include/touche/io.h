// SPDX-License-Identifier: Apache-2.0
// Meshes from and to files. Link target touche::io.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "touche/object.h"

namespace touche {

struct LoadOptions {
  double scale = 1;  ///< coordinates are multiplied by this (unit conversion); finite, > 0
};

/// Reads OBJ, STL (text and binary), PLY, OFF, glTF/GLB, 3MF and COLLADA; the format is told by
/// the file's ending (case does not matter) and checked against its content. Faces keep their
/// file order and group, object, node or material name. Equal vertices of an STL solid are merged.
/// Coordinates are those of the file, in double precision where the file has it, except that glTF,
/// 3MF and COLLADA place their parts, that glTF and COLLADA are in metres with y up, and that 3MF
/// is in millimetres whatever unit the file declares.
///
/// Nothing from a file takes memory out of proportion to it: what it unfolds to (by decompression,
/// or by placing a part many times) may take 256 MiB, or 200 times the file if that is more. Nodes
/// may lie 1000 deep below each other.
///
/// Throws LoadError naming file and place, also for what would change the surface and is not read:
/// compressed or skinned meshes, required extensions that are not known, external references of
/// COLLADA. Throws InvalidInput for a scale that is not positive.
[[nodiscard]] PolygonSoup load_soup(const std::filesystem::path& file,
                                    const LoadOptions& options = {});

/// load_soup, then the hierarchy; the object is named after the file.
[[nodiscard]] Object load(const std::filesystem::path& file, const LoadOptions& options = {});

/// A mesh of an assembly in coordinates of its own; the arrays are those PolygonSoup takes. It may
/// have no faces, and may be placed by any number of nodes.
struct AssemblyMesh {
  std::string name;
  std::vector<double> coordinates;  ///< x y z of each vertex
  std::vector<Index> corners;
  std::vector<Index> face_sizes;  ///< empty: all triangles
};

/// A node of an assembly: a part, or a group of parts.
struct AssemblyNode {
  std::string name;      ///< as the file has it; that of its mesh when it has none
  std::string step;      ///< its part of the path, different from those of its siblings
  Index parent = kNone;  ///< an earlier node, or kNone
  Index end = 0;         ///< it and all nodes below it are those from itself to before this one
  Mat3 linear = Mat3::Identity();   ///< a point x of its meshes is at linear · x + translation
  Vec3 translation = Vec3::Zero();  ///< in world coordinates
  std::vector<Index> meshes;        ///< mostly one or none
};

/// The parts of a glTF, 3MF or COLLADA file and where they are.
///
/// A node is addressed by its path, the steps from a root to it with '/' between them, as in
/// "Crankcase/Piston 1". A step is the node's name (else that of its mesh, else "unnamed"), in
/// which
/// '/', '#', '%' and control characters are written %2F, %23, %25, %0A as in a URL. Siblings of
/// the same name are "Bolt", "Bolt#2", "Bolt#3" in the order of the file.
struct Assembly {
  std::string file;
  std::size_t file_bytes = 0;
  std::vector<AssemblyNode> nodes;  ///< depth first, in the order of the file
  std::vector<AssemblyMesh> meshes;

  [[nodiscard]] std::string path(Index node) const;
  /// The node of this path. Throws LoadError, with paths that look alike, when there is none.
  [[nodiscard]] Index find(std::string_view path) const;
  /// A node and all below it as one soup in world coordinates, a group for each node that has
  /// meshes. Throws LoadError when it has no faces, and as load_soup does.
  [[nodiscard]] PolygonSoup soup(Index node) const;
  [[nodiscard]] PolygonSoup soup() const;  ///< of all nodes
};

/// Whether files of this ending hold nodes: .gltf, .glb, .3mf, .dae (case does not matter).
[[nodiscard]] bool is_assembly(const std::filesystem::path& file);

/// Reads glTF/GLB, 3MF and COLLADA. Throws as load_soup does, and LoadError for other formats.
[[nodiscard]] Assembly load_assembly(const std::filesystem::path& file,
                                     const LoadOptions& options = {});

/// A part that is named in one text: "engine.glb#Crankcase/Piston 1" is a node of an assembly, any
/// other text the name of a mesh file. The file's name ends at the first '#' behind .gltf, .glb,
/// .3mf or .dae (case does not matter).
struct PartName {
  std::filesystem::path file;
  std::string node;  ///< a path; empty when the whole file is meant
};
[[nodiscard]] PartName parse_part_name(const std::string& text);

/// The node or the whole file. Throws as load_soup and Assembly::find do.
[[nodiscard]] PolygonSoup load_soup(const PartName& part, const LoadOptions& options = {});

/// Writes OBJ, OFF, PLY or STL (binary) by the file's ending; coordinates with all their digits
/// except in STL. Throws LoadError when the file cannot be written.
void save(const PolygonSoup& soup, const std::filesystem::path& file);

/// Writes binary glTF 2.0 (.glb), from names, parents, transforms and meshes; meshes that several
/// nodes place are written once. Transforms keep all their digits, coordinates of meshes become
/// single precision, faces triangles as in a PolygonSoup. Meshes without faces are left out, their
/// nodes stay. glTF means metres with y up; nothing is scaled or turned. Throws LoadError when the
/// file cannot be written or would be larger than 4 GiB, and naming the node or mesh for what
/// cannot be expressed: nodes below one whose transform is singular, numbers beyond single
/// precision.
void save_assembly(const Assembly& assembly, const std::filesystem::path& file);

}  // namespace touche
