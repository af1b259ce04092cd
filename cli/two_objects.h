// SPDX-License-Identifier: Apache-2.0
// The commands about two mesh files have this in common.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "program.h"
#include "touche/object.h"
#include "touche/query.h"

namespace touche::cli {

using Json = nlohmann::ordered_json;

/// Options of a command; filled in when the command line is parsed.
struct TwoObjects {
  std::string file_a, file_b;
  double scale_a = 1, scale_b = 1;
  double chord_error = 0;  // of curves in drawings; 0: see OutlineOptions
  std::string pose_a, pose_b;
  bool json = false;

  void add_to(Command& command);
  Object load_a() const;
  Object load_b() const;
  /// A length in the unit of both files, see parse_length; `none` where the text is empty. A unit
  /// may be named where both files have the same by their format (glTF, COLLADA, drawings) and are
  /// not scaled.
  double length(const std::string& text, const std::string& option, double none = 0) const;
  /// The same of a length that must be more than 0.
  double positive_length(const std::string& text, const std::string& option) const;
};

/// "x,y,z" or "x,y,z,qw,qx,qy,qz"; empty is the identity. Throws InvalidInput naming the option.
Pose parse_pose(const std::string& text, const std::string& option);

/// `count` numbers separated by commas. Throws InvalidInput naming the option.
std::vector<double> parse_numbers(const std::string& text, std::size_t count,
                                  const std::string& option);

/// The number, and 0 for -0: no one is to wonder about the sign of zero.
inline double without_sign_of_zero(double x) { return x + 0.0; }
/// "(x, y, z)", with so many significant digits.
std::string vector_text(const Vec3& v, int digits);
Json to_json(const Vec3& v);
Json to_json(const QueryStats& stats);
Json to_json(const Contact& contact, const Object& a, const Object& b);

/// "face 12 (edge 3-4) at (x, y, z)" for either side of a contact.
std::string side_text(const Object& object, Index face, const Feature& feature, const Vec3& point);
std::string contact_text(const Contact& contact, const Object& a, const Object& b);

/// With a line end; what is not valid UTF-8 is replaced.
void print(const Json& json);

}  // namespace touche::cli
