// SPDX-License-Identifier: Apache-2.0
// Outlines of the plane on the command line, and what lets commands answer about them as about
// objects of space: the same names for both.
#pragma once

#include <string>
#include <vector>

#include "motion_options.h"
#include "touche/outline_file.h"
#include "touche/plane.h"
#include "two_objects.h"

namespace touche::cli {

/// Whether both files hold outlines. Throws InvalidInput when only one of them does.
bool are_outlines(const TwoObjects& objects);

plane::Object load_outline_a(const TwoObjects& objects);
plane::Object load_outline_b(const TwoObjects& objects);

/// "x,y" or "x,y,degrees"; empty is the identity. Throws InvalidInput naming the option.
plane::Pose parse_plane_pose(const std::string& text, const std::string& option);

/// From --from to --to, or by --turn. Throws InvalidInput naming the option.
plane::Motion plane_motion(const MotionOptions& options);

std::string vector_text(const plane::Vec2& v, int digits);
Json to_json(const plane::Vec2& p);
Json to_json(const plane::Contact& contact, const plane::Object& a, const plane::Object& b);
std::string contact_text(const plane::Contact& contact, const plane::Object& a,
                         const plane::Object& b);

/// Tells what the questions are about, in words, and how large an object is.
inline const char* parts_of(const Object&) { return "faces"; }
inline const char* parts_of(const plane::Object&) { return "edges"; }
inline const char* whole_of(const Object&) { return "surfaces"; }
inline const char* whole_of(const plane::Object&) { return "outlines"; }
inline double size_of(const Object& object) { return object.bounds().diagonal(); }
inline double size_of(const plane::Object& object) { return object.outline().diagonal(); }

/// Says what a person should know of drawings, with the names of their files; nothing of meshes.
std::vector<std::string> remarks_of(const TwoObjects& objects, const plane::Object& a,
                                    const plane::Object& b);
inline std::vector<std::string> remarks_of(const TwoObjects&, const Object&, const Object&) {
  return {};
}

/// The answer with the remarks, where there are some; for programs and for people.
Json with_remarks(Json json, const std::vector<std::string>& remarks);
void print_remarks(const std::vector<std::string>& remarks);

/// `touche info` of a drawing.
Json outline_json(const std::string& file, const plane::Object& object, const OutlineReport& report,
                  bool self_intersections);
void print_outline(const std::string& file, const plane::Object& object,
                   const OutlineReport& report, bool self_intersections);

}  // namespace touche::cli
