// SPDX-License-Identifier: Apache-2.0
#include "study/motion_input.h"

#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "math/keeps_plane.h"
#include "touche/study.h"

namespace touche::study {
namespace {

constexpr double kMostTurns = 1e6;
constexpr double kHalfTurn = 170 * std::numbers::pi / 180;
constexpr const char* kLeavesPlane = "drawings move within the plane z = 0 and turn about z only";

Pose read_matrix(const JsonCursor& cursor) {
  const std::vector<JsonCursor> rows = cursor.items(3);
  if (rows.size() != 3) cursor.fail(fmt::format("{} rows, expected 3", rows.size()));
  Mat3 rotation;
  Vec3 translation;
  for (int i = 0; i < 3; ++i) {
    const std::vector<double> row = rows[static_cast<std::size_t>(i)].numbers(4);
    rotation.row(i) << row[0], row[1], row[2];
    translation[i] = row[3];
  }
  try {
    return Pose::from_matrix(rotation, translation);
  } catch (const InvalidInput& e) {
    cursor.fail(e.what());
  }
}

Pose read_pose_keys(const JsonCursor& cursor) {
  if (const auto matrix = cursor.find("matrix")) {
    if (cursor.has("translation") || cursor.has("quaternion"))
      matrix->fail("given together with translation or quaternion");
    return read_matrix(*matrix);
  }
  Vec3 translation = Vec3::Zero();
  if (const auto t = cursor.find("translation")) translation = t->vector();
  const auto quaternion = cursor.find("quaternion");
  if (!quaternion) return Pose::from_translation(translation);
  const std::vector<double> q = quaternion->numbers(4);
  const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  if (!(std::abs(length - 1) <= 1e-3))
    quaternion->fail(fmt::format("length {:.6g}, expected 1", length));
  return Pose::from_quaternion(q[0], q[1], q[2], q[3], translation);
}

Interpolation read_interpolation(const JsonCursor& motion) {
  const auto how = motion.find("interpolation");
  if (!how || how->text() == "slerp") return Interpolation::slerp;
  if (how->text() == "nlerp") return Interpolation::nlerp;
  how->fail("expected \"slerp\" or \"nlerp\"");
}

std::vector<double> equal_times(std::size_t steps) {
  std::vector<double> times;
  for (std::size_t i = 0; i <= steps; ++i)
    times.push_back(static_cast<double>(i) / static_cast<double>(steps));
  return times;
}

// Doubts the order of a quaternion by which the part starts, or turns in one step. A part that has
// turned to such a pose step by step is not doubted.
void doubt_order(const RecordedPoses& recorded, const std::string& table,
                 std::vector<std::string>& remarks) {
  std::size_t more = 0;
  for (std::size_t i = 0; i < recorded.poses.size(); ++i) {
    const Pose& pose = recorded.poses[i];
    if (i > 0 && relative(recorded.poses[i - 1], pose).axis_angle().angle < kHalfTurn) continue;
    const std::string remark = order_remark(pose);
    if (remark.empty() || (recorded.lines.empty() && recorded.places[i].empty())) continue;
    if (remarks.empty())
      remarks.push_back(fmt::format("{}: {}",
                                    recorded.lines.empty()
                                        ? recorded.places[i]
                                        : fmt::format("{}:{}", table, recorded.lines[i]),
                                    remark));
    else
      ++more;
  }
  if (more > 0) remarks.front() += fmt::format("; likewise {} more", more);
}

// Makes a motion through poses at recorded times, which become s in [0, 1]. `place`: of the times.
MotionInput through(const RecordedPoses& recorded, Interpolation how, const JsonCursor& where,
                    const std::string& table = "") {
  if (recorded.poses.size() < 2)
    where.fail(fmt::format("{} poses, expected at least 2", recorded.poses.size()));
  if (recorded.poses.size() - 1 > kMostSteps)
    where.fail(fmt::format("more than {} steps", kMostSteps));
  std::vector<double> times = equal_times(recorded.poses.size() - 1);
  std::optional<std::pair<double, double>> clock;
  std::vector<std::string> remarks;
  doubt_order(recorded, table, remarks);
  if (!recorded.times.empty()) {
    const double first = recorded.times.front(), last = recorded.times.back();
    for (std::size_t i = 0; i < times.size(); ++i)
      times[i] = (recorded.times[i] - first) / (last - first);
    for (std::size_t i = 1; i < times.size(); ++i)
      if (!(times[i] > times[i - 1]))
        where.fail(fmt::format("the time of pose {} ({}) does not come after the one before ({})",
                               i, recorded.times[i], recorded.times[i - 1]));
    clock.emplace(first, last);
    if (last < first)
      remarks.push_back(
          fmt::format("{}: the times decrease, from {} to {}; the poses are taken in the order of "
                      "the file",
                      table.empty() ? where.place() : table, first, last));
  }
  return {Motion::through(recorded.poses, times, how), times, clock, table, std::move(remarks)};
}

MotionInput read_recorded(const JsonCursor& motion, bool in_plane) {
  motion.expect_keys({"interpolation", "poses"});
  const JsonCursor list = motion.at("poses");
  RecordedPoses recorded;
  for (const JsonCursor& entry : list.items(2)) {
    entry.expect_keys({"t", "translation", "quaternion", "matrix"});
    const auto t = entry.find("t");
    if (t.has_value() != !recorded.times.empty() && !recorded.poses.empty())
      entry.fail("\"t\" must be in all poses or in none");
    if (t) recorded.times.push_back(t->number());
    recorded.poses.push_back(read_pose_keys(entry));
    const auto quaternion = entry.find("quaternion");
    recorded.places.push_back(quaternion ? quaternion->place() : "");
    if (in_plane && !math::keeps_plane(recorded.poses.back())) entry.fail(kLeavesPlane);
  }
  return through(recorded, read_interpolation(motion), list);
}

MotionInput read_csv(const JsonCursor& motion, const std::filesystem::path& folder, bool in_plane) {
  motion.expect_keys({"interpolation", "csv"});
  const JsonCursor name = motion.at("csv");
  const std::filesystem::path table = folder / name.text();
  RecordedPoses recorded;
  try {
    recorded = read_pose_csv(table);
  } catch (const LoadError& e) {
    name.fail(e.what());
  }
  for (std::size_t i = 0; in_plane && i < recorded.poses.size(); ++i)
    if (!math::keeps_plane(recorded.poses[i]))
      name.fail(fmt::format("{}:{}: {}", table.string(), recorded.lines[i], kLeavesPlane));
  return through(recorded, read_interpolation(motion), name, table.string());
}

std::size_t read_steps(const JsonCursor& motion) {
  const auto steps = motion.find("steps");
  return steps ? steps->count(kMostSteps) : 1;
}

MotionInput read_screw(const JsonCursor& motion, bool in_plane) {
  motion.expect_keys({"screw", "steps"});
  const JsonCursor screw = motion.at("screw");
  screw.expect_keys({"point", "axis", "angle_deg", "turns", "pitch"});
  const auto point = screw.find("point"), pitch = screw.find("pitch");
  const Vec3 axis = screw.at("axis").vector();
  if (axis.isZero(0)) screw.at("axis").fail("the axis has no direction");
  if (in_plane && (axis.x() != 0 || axis.y() != 0)) screw.at("axis").fail(kLeavesPlane);
  if (in_plane && pitch && pitch->number() != 0) pitch->fail(kLeavesPlane);
  if (screw.has("turns") == screw.has("angle_deg"))
    screw.fail("expected either \"angle_deg\" or \"turns\"");
  const double turns =
      screw.has("turns") ? screw.at("turns").number() : screw.at("angle_deg").number() / 360;
  if (!(std::abs(turns) <= kMostTurns))
    screw.fail(fmt::format("{} turns, expected at most {}", turns, kMostTurns));
  return {Motion::screw(Pose(), point ? point->vector() : Vec3(Vec3::Zero()), axis,
                        2 * std::numbers::pi * turns, pitch ? turns * pitch->number() : 0.0),
          equal_times(read_steps(motion)), std::nullopt};
}

MotionInput read_translation(const JsonCursor& motion, bool in_plane) {
  motion.expect_keys({"translation", "steps"});
  const Vec3 travel = motion.at("translation").vector();
  if (in_plane && travel.z() != 0) motion.at("translation").fail(kLeavesPlane);
  return {Motion::interpolated(Pose(), Pose::from_translation(travel)),
          equal_times(read_steps(motion)), std::nullopt};
}

}  // namespace

Pose read_pose(const JsonCursor& cursor, std::vector<std::string>* remarks) {
  cursor.expect_keys({"translation", "quaternion", "matrix"});
  Pose pose = read_pose_keys(cursor);
  if (const auto quaternion = cursor.find("quaternion"); quaternion && remarks != nullptr)
    if (const std::string remark = order_remark(pose); !remark.empty())
      remarks->push_back(fmt::format("{}: {}", quaternion->place(), remark));
  return pose;
}

MotionInput read_motion(const JsonCursor& cursor, const std::filesystem::path& folder,
                        bool in_plane) {
  if (cursor.has("poses")) return read_recorded(cursor, in_plane);
  if (cursor.has("csv")) return read_csv(cursor, folder, in_plane);
  if (cursor.has("screw")) return read_screw(cursor, in_plane);
  if (cursor.has("translation")) return read_translation(cursor, in_plane);
  cursor.expect_keys({"poses", "csv", "screw", "translation"});
  cursor.fail("expected one of: poses, csv, screw, translation");
}

}  // namespace touche::study
