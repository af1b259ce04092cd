// SPDX-License-Identifier: Apache-2.0
// Reading and writing mesh files; recorded motions as animated glTF files, which common viewers can
// play. Link target touche::io.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "touche/file_frame.h"
#include "touche/object.h"
#include "touche/pose.h"

namespace touche {

/// What becomes a node when a file of one list of faces (OBJ, STL, PLY, OFF) is read as an
/// assembly, and a part when a drawing (SVG, DXF) is read by load_outlines.
enum class Split : std::uint8_t {
  objects,  ///< OBJ: what `o` names, in a file without `o` what `g` names; STL: a solid; SVG: a
            ///< group; DXF: a placed block; else all
  shells,   ///< faces connected through shared vertex positions, in the order of their first face
  layers,   ///< of drawings only
};
template <>
inline constexpr std::array<std::string_view, 3> kNames<Split> = {"objects", "shells", "layers"};

/// Throws InvalidInput, naming the values, for a text that is none of them.
[[nodiscard]] Split parse_split(std::string_view text);

/// A moment of an animation of a glTF file.
struct AnimationTime {
  std::string name;    ///< as Assembly::animations
  double seconds = 0;  ///< finite; before its start and after its end nothing moves
  friend auto operator<=>(const AnimationTime&, const AnimationTime&) = default;
};

struct LoadOptions {
  double scale = 1;  ///< coordinates are multiplied by this (unit conversion); finite, > 0
  /// The axis of the file's coordinates that points up. Not set: as the file or its format says,
  /// see load_soup. With z, coordinates are turned by nothing.
  std::optional<UpAxis> up = {};
  Split split = Split::objects;  ///< for load_assembly
  /// Length, after scaling, along the axis that is stretched most: how far coordinates of vertices
  /// at open edges may differ to be joined, see weld(). Not set: as the file's precision says, see
  /// load_soup. 0: none are joined.
  std::optional<double> weld = {};
  /// Nodes are where this animation has them. Not set: at rest. An error where the file has no
  /// such animation.
  std::optional<AnimationTime> animation = {};
  /// Factors along x, y and z, after all else that becomes of coordinates; finite and not 0.
  /// Negative ones mirror: faces are turned round then, so that what was solid stays solid.
  Vec3 stretch = Vec3::Ones();
};

/// Reads OBJ, STL (text and binary), PLY, OFF, glTF/GLB, 3MF and COLLADA. The file's extension (in
/// upper or lower case) selects the format, which is checked against the content. Faces keep their
/// order and the name of their group, object, node or material. Equal vertices of an STL solid are
/// merged. Coordinates are as in the file, in double precision if the file has it, with these
/// exceptions: parts of glTF, 3MF and COLLADA files are placed by their transforms; glTF and
/// COLLADA are in metres, 3MF in millimetres, whatever unit the file declares; and z is up:
/// - glTF has y up, and is turned, (x, y, z) to (x, -z, y);
/// - COLLADA is turned if the file declares Y_UP, X_UP or nothing, which is Y_UP;
/// - all other formats say nothing of up, or have z up, as 3MF does, and are taken as they are.
/// LoadOptions::up overrides what the file or format says. file_frame() gives the turn and
/// the unit.
///
/// Vertices at open edges that only rounding keeps apart are joined by weld(), in each mesh of a
/// file by itself, up to a length that follows from how the mesh's coordinates are written:
/// - single precision, or up to nine digits: 2^-21 (5e-7) of the largest coordinate, which is four
///   to eight steps of single precision there;
/// - text of six and more digits: one and a half units of the last digit of the largest coordinate;
/// - all others, as rounding of calculations in double precision: 2^-44 of the largest coordinate.
/// The largest of these that applies counts, up to 2^-20 of the diagonal of the mesh (2^-16 for
/// digits). Edges whose faces lie on each other are not joined, unless their ends are within 2^-30
/// of the diagonal: two sheets side by side stay two. PolygonSoup::weld_result says what was done,
/// and a remark if it closed a shell or moved vertices by more than that.
///
/// Files that deviate from their format, but are understood in one way only, are read. What was odd
/// and what was left out is in PolygonSoup::remarks.
///
/// Memory is limited in proportion to the file: expanded data (by decompression, or by placing a
/// part many times) may take 256 MiB, or 200 times the size of the file if that is more. Nodes may
/// be nested up to 1000 deep.
///
/// Throws LoadError, naming the file and the position in it. It is thrown also for unsupported
/// features that would change the surface: skinned meshes, unknown required extensions of glTF and
/// 3MF, compressed meshes of glTF that this library was built without, external references of
/// COLLADA. Throws InvalidInput for a scale that is not positive and a stretch with a 0.
///
///     const PolygonSoup soup = load_soup("bracket.stl", {.scale = 1e-3});
[[nodiscard]] PolygonSoup load_soup(const std::filesystem::path& file,
                                    const LoadOptions& options = {});

/// How load_soup and load_assembly turn and scale the coordinates of a file. Throws as they do, for
/// what it has to read.
[[nodiscard]] FileFrame file_frame(const std::filesystem::path& file,
                                   const LoadOptions& options = {});

/// Reads a soup and builds its hierarchy; the object is named after the file.
[[nodiscard]] Object load(const std::filesystem::path& file, const LoadOptions& options = {});

/// A mesh of an assembly, in its own coordinates; the arrays are as for the constructor of
/// PolygonSoup. It may have no faces, and any number of nodes may use it.
struct AssemblyMesh {
  std::string name;
  std::vector<double> coordinates;  ///< x y z of each vertex
  std::vector<Index> corners;
  std::vector<Index> face_sizes;  ///< empty: all triangles
  WeldResult weld = {};           ///< what was joined, in the mesh's own coordinates
};

/// A node of an assembly: a part, or a group of parts.
struct AssemblyNode {
  std::string name;                 ///< as in the file; if it has none, that of its mesh
  std::string step;                 ///< its step of the path, unique among its siblings
  Index parent = kNone;             ///< an earlier node, or kNone
  Index end = 0;                    ///< end of its subtree: the nodes from itself to before `end`
  Mat3 linear = Mat3::Identity();   ///< a point x of a mesh is at linear · x + translation
  Vec3 translation = Vec3::Zero();  ///< in world coordinates, as `linear`
  std::vector<Index> meshes;        ///< usually one or none
};

/// A node whose mesh cannot be read: it is in the assembly without that mesh.
struct LeftOutNode {
  Index node = 0;
  std::string place;   ///< position in the file, as `LoadError::place`
  std::string reason;  ///< "skinned meshes are not read; save the file without bones"
};

/// An animation of a glTF file.
struct FileAnimation {
  std::string name;           ///< as in the file; "animation 2" for the third if it has none
  double start = 0, end = 0;  ///< the times of its first and last key frame, in seconds
};

/// The parts of a glTF, 3MF or COLLADA file and their positions, with z up; or the objects or
/// shells of another mesh file, which are nodes without parents.
///
/// A node is addressed by its path: the steps from a root to it, separated by '/', as in
/// "Crankcase/Piston 1". A step is the node's name (else that of its mesh, else "unnamed"), in
/// which '/', '#', '%' and control characters are written %2F, %23, %25, %0A as in a URL. Siblings
/// with the same name are called "Bolt", "Bolt#2", "Bolt#3", in the order of the file. Shells are
/// called "shell 1", "shell 2".
struct Assembly {
  std::string file;
  std::size_t file_bytes = 0;
  std::vector<AssemblyNode> nodes;  ///< depth first, in the order of the file
  std::vector<AssemblyMesh> meshes;
  FileFrame frame;                        ///< how the file's coordinates became these
  std::vector<FileAnimation> animations;  ///< of glTF files, in the order of the file
  std::vector<LeftOutNode> left_out;      ///< in the order of nodes
  std::vector<std::string> remarks;  ///< as PolygonSoup::remarks; not on nodes that are left out

  [[nodiscard]] std::string path(Index node) const;
  /// The node with this path. Throws LoadError, listing similar paths, when there is none.
  [[nodiscard]] Index find(std::string_view path) const;
  /// A node and all nodes below it as one soup in world coordinates, with a group for each node
  /// that has meshes. Throws LoadError when there are no faces, for the first of these nodes that
  /// is left out, and as load_soup does.
  [[nodiscard]] PolygonSoup soup(Index node) const;
  [[nodiscard]] PolygonSoup soup() const;  ///< of all nodes
};

/// Whether files with this extension hold nodes: .gltf, .glb, .3mf, .dae, in upper or lower case.
[[nodiscard]] bool is_assembly(const std::filesystem::path& file);

/// Whether files with this extension are one list of faces, which may be split into nodes: .obj,
/// .stl, .ply, .off, in upper or lower case.
[[nodiscard]] bool is_face_list(const std::filesystem::path& file);

/// Reads the nodes of a file of any format; options.split says what the nodes of an OBJ, STL, PLY
/// or OFF file are. Throws as load_soup does, and InvalidInput for a split into layers; but a mesh
/// of glTF, 3MF or COLLADA that cannot be read is no error here, see Assembly::left_out.
[[nodiscard]] Assembly load_assembly(const std::filesystem::path& file,
                                     const LoadOptions& options = {});

/// A part given by one string: "engine.glb#Crankcase/Piston 1" is a node of an assembly,
/// "multi.obj#crank" an object, "multi.obj#shell 2" a shell, "nest.svg#left" an object or layer of
/// a drawing; any other string is the name of a file. The file's name ends at the first '#' after
/// the extension of a mesh file or drawing, in upper or lower case.
struct PartName {
  std::filesystem::path file;
  std::string node;  ///< a path, or the name of a part; empty for the whole file
};
[[nodiscard]] PartName parse_part_name(const std::string& text);

/// Reads the file of a part so that the part is among the nodes: an OBJ, STL, PLY or OFF file is
/// split into objects, or into shells if the part is called "shell 2" and no object is. The option
/// `split` is not used. Throws as load_soup does.
[[nodiscard]] Assembly load_assembly(const PartName& part, const LoadOptions& options = {});

/// Reads a node or a whole file. Throws as load_soup and Assembly::find do.
[[nodiscard]] PolygonSoup load_soup(const PartName& part, const LoadOptions& options = {});

/// Writes OBJ, OFF, PLY or binary STL, according to the file's extension. Coordinates keep full
/// double precision, except in STL; load_soup gives them back bit for bit if LoadOptions::weld is
/// 0, else vertices at open edges may be joined. Throws LoadError when the file cannot be written.
void save(const PolygonSoup& soup, const std::filesystem::path& file);

/// Writes binary glTF 2.0 (.glb) with the names, parents, transforms and meshes of an assembly; a
/// mesh that several nodes use is written once. Transforms keep full double precision; coordinates
/// of meshes become single precision; faces are triangulated as in a PolygonSoup. Meshes without
/// faces are left out, but their nodes stay. glTF has y up, so coordinates are turned at the roots,
/// (x, y, z) to (x, z, -y), which load_assembly undoes; nothing is scaled to metres. Throws
/// LoadError when the file cannot be written or would be larger than 4 GiB, and, naming the node or
/// mesh, for nodes below a singular transform and for numbers beyond single precision.
void save_assembly(const Assembly& assembly, const std::filesystem::path& file);

// ---- recorded motions ---------------------------------------------------------------------------

/// A body and its recorded poses: it is at poses[i] at times[i]. Times are in seconds, >= 0 and
/// increasing. A body that stands still has one pose and no times.
struct AnimatedBody {
  std::string name;
  Index mesh = kNone;  ///< index into Animation::meshes; several bodies may share a mesh
  std::vector<double> times;
  std::vector<Pose> poses;
};

struct Animation {
  std::string name;
  std::vector<AssemblyMesh> meshes;
  std::vector<AnimatedBody> bodies;
  double metres_per_unit = 1;  ///< unit of all lengths, > 0
  Vec3 up = Vec3::UnitZ();     ///< any length except 0
};

/// Writes binary glTF 2.0 (.glb) with one animation. There is a node for each body, below a root
/// node that converts lengths to metres and `up` to y, as glTF requires. So load_assembly finds the
/// bodies where they are, in metres, if `up` is z, else with `up` turned to z. Each mesh is written
/// once.
/// Viewers interpolate as Motion::through does, linearly and by slerp; numbers become single
/// precision. Of consecutive equal poses, or of times that are equal in single precision, only the
/// first and the last are written.
///
/// Throws InvalidInput, naming the body, for invalid times and poses, and LoadError as
/// save_assembly does.
void save_animation(const Animation& animation, const std::filesystem::path& file);

}  // namespace touche
