// SPDX-License-Identifier: Apache-2.0
// Options and output that all commands about two bodies in space share: meshes and convex shapes.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "animation_option.h"
#include "drawing_options.h"
#include "figures.h"
#include "program.h"
#include "touche/query.h"
#include "touche/shape.h"

namespace touche::cli {

using Json = nlohmann::ordered_json;

/// Maximum number of contacts that are printed; --json lists all.
inline constexpr std::size_t kListed = 20;

/// The options about the two objects; filled in when the command line is parsed.
struct TwoObjects {
  std::string file_a, file_b;
  double scale_a = 1, scale_b = 1;
  DrawingOptions drawings;
  std::string pose_a, pose_b;
  std::string up_a, up_b;      // see parse_up
  std::string unit_a, unit_b;  // as given
  std::string weld;            // see parse_weld
  AnimationOption animation_a, animation_b;
  bool json = false;

  void add_to(Command& command);
  /// Loads a mesh, or a convex shape from a .json file.
  Shape load_a() const;
  Shape load_b() const;
  /// The --weld length in the unit of a or b.
  std::optional<double> weld_a() const;
  std::optional<double> weld_b() const;
  /// Parses a length in the unit of both files, see parse_length; `none` if the text is empty. The
  /// text may name a unit if --unit-a or --unit-b is given, or if both file formats define the same
  /// unit (glTF, COLLADA, 3MF, drawings) and neither file is scaled.
  double length(const std::string& text, const std::string& option, double none = 0) const;
  /// The unit of all lengths of the command; empty if it is not known.
  std::string unit() const;
  /// Writes lengths in the unit of the first of these that names one.
  Figures figures(const std::vector<std::string>& typed) const { return {unit(), typed}; }
  /// The same for a length that must be positive.
  double positive_length(const std::string& text, const std::string& option) const;
};

/// Parses "x,y,z" or "x,y,z,qw,qx,qy,qz"; empty is the identity. Throws InvalidInput naming the
/// option.
Pose parse_pose(const std::string& text, const std::string& option);

/// Adds a remark if the rotation of a pose looks like a quaternion in another order.
void add_order_remark(const std::string& pose, const std::string& option,
                      std::vector<std::string>& remarks);
/// Adds a remark if the tolerance is larger than the clearance, and there is one.
void add_tolerance_remark(double tolerance, double clearance, const Figures& figures,
                          std::vector<std::string>& remarks);

/// Parses `count` numbers separated by commas. Throws InvalidInput naming the option.
std::vector<double> parse_numbers(const std::string& text, std::size_t count,
                                  const std::string& option);

/// Turns -0 into 0, so that output has no negative zeros.
inline double without_sign_of_zero(double x) { return x + 0.0; }
/// "(x, y, z)" with `digits` significant digits.
std::string vector_text(const Vec3& v, int digits);
/// The same of a point, in the unit that was typed.
std::string point_text(const Vec3& v, int digits, const Figures& figures);
Json to_json(const Vec3& v);
Json to_json(const QueryStats& stats);
/// The features are listed for two meshes only. The face of a convex shape is null.
Json to_json(const Contact& contact, const Shape& a, const Shape& b);
std::string contact_text(const Contact& contact, const Shape& a, const Shape& b,
                         const Figures& figures = {});

/// The words for a mesh's elements and for the whole, and the size of any body.
inline const char* parts_of(const Shape&) { return "faces"; }
inline const char* whole_of(const Shape&) { return "surfaces"; }
inline double size_of(const Shape& shape) { return shape.bounds().diagonal(); }
inline Vec3 middle_of(const Shape& shape) {
  const Vec3 centre = shape.bounds().centre();  // of a half space not finite
  return centre.allFinite() ? centre : Vec3::Zero();
}
inline const Motion& in_space(const Motion& motion) { return motion; }

/// Remarks on mesh files that the user should know, with the file names.
std::vector<std::string> remarks_of(const std::string& file, const PolygonSoup& soup);
/// These remarks on both files, and whose coordinates are turned.
std::vector<std::string> remarks_of(const TwoObjects& objects, const Shape& a, const Shape& b);

/// The unit in which the coordinates of a file are read; empty: not in the file, or scaled.
std::string unit_of(const std::string& file, double scale);

/// Prints with a line end; invalid UTF-8 is replaced.
void print(const Json& json);

}  // namespace touche::cli
