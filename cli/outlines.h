// SPDX-License-Identifier: Apache-2.0
// Outlines of the plane on the command line. The functions have the same names as for bodies in
// space, so that commands can be templates.
#pragma once

#include <string>
#include <vector>

#include "motion_options.h"
#include "touche/outline_file.h"
#include "touche/plane.h"
#include "two_objects.h"

namespace touche::cli {

/// Returns whether both files are outlines. Throws InvalidInput if only one of them is.
bool are_outlines(const TwoObjects& objects);

plane::Object load_outline_a(const TwoObjects& objects);
plane::Object load_outline_b(const TwoObjects& objects);

/// Parses "x,y" or "x,y,degrees"; empty is the identity. Throws InvalidInput naming the option.
plane::Pose parse_plane_pose(const std::string& text, const std::string& option);

/// A motion from --from to --to, or by --turn. Throws InvalidInput naming the option.
plane::Motion plane_motion(const MotionOptions& options);

std::string vector_text(const plane::Vec2& v, int digits);
Json to_json(const plane::Vec2& p);
Json to_json(const plane::Contact& contact, const plane::Object& a, const plane::Object& b);
std::string point_text(const plane::Vec2& v, int digits, const Figures& figures);
std::string contact_text(const plane::Contact& contact, const plane::Object& a,
                         const plane::Object& b, const Figures& figures = {});

/// The words for an outline's elements and for the whole, and its size.
inline const char* parts_of(const plane::Object&) { return "edges"; }
inline const char* whole_of(const plane::Object&) { return "outlines"; }
inline double size_of(const plane::Object& object) { return object.outline().diagonal(); }
inline Vec3 middle_of(const plane::Object& object) {
  const plane::Vec2 middle = 0.5 * (object.outline().lo() + object.outline().hi());
  return {middle.x(), middle.y(), 0};
}
inline const Motion& in_space(const plane::Motion& motion) { return motion.in_space(); }

/// Remarks on drawings that the user should know, with the file names.
std::vector<std::string> remarks_of(const TwoObjects& objects, const plane::Object& a,
                                    const plane::Object& b);

/// Adds the remarks, if any, to the answer: to JSON, and to printed text.
Json with_remarks(Json json, const std::vector<std::string>& remarks);
void print_remarks(const std::vector<std::string>& remarks);

/// What `touche info` says about a drawing besides its outline.
struct DrawingInfo {
  std::string file;
  OutlineReport report = {};
  /// The parts that it is split into.
  std::vector<OutlinePart> parts = {};
  /// Names of the objects and layers of a drawing that is not split, if there are several.
  std::vector<std::string> objects = {}, layers = {};
};
Json outline_json(const DrawingInfo& info, const plane::Object& object, bool self_intersections);
/// At most 20 parts, or everything if `all` is set.
void print_outline(const DrawingInfo& info, const plane::Object& object, bool self_intersections,
                   bool all);

}  // namespace touche::cli
