// SPDX-License-Identifier: Apache-2.0
// A dragged part for programs: result.json (docs/handle.schema.json), forces.csv, and the study of
// the way that was taken. Nothing in them depends on the machine, the clock or the number of
// threads.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <numbers>

#include "report/csv.h"
#include "simulation/handle_facts.h"
#include "study/json_text.h"
#include "touche/version.h"

namespace touche {
namespace {

using namespace study;
using simulation::HandleFacts;

constexpr double kDegrees = 180 / std::numbers::pi;

Json pose_keys(const Pose& pose) {
  const Eigen::Quaterniond q = pose.rotation();
  return {{"translation", vector(pose.translation())},
          {"quaternion", {q.w(), q.x(), q.y(), q.z()}}};
}

Json contact(const HandleView& view, const HandleContact& c) {
  return {{"part", view.study.parts[c.part].name},
          {"other", view.study.parts[c.other].name},
          {"face", c.contact.face_a},
          {"other_face", c.contact.face_b},
          {"feature", feature(c.contact.feature_a, view.parts[c.part].soup())},
          {"other_feature", feature(c.contact.feature_b, view.parts[c.other].soup())},
          {"point", vector(c.contact.point_a)},
          {"other_point", vector(c.contact.point_b)},
          {"normal", vector(c.contact.normal)},
          {"distance", c.contact.distance},
          {"force", vector(c.force)}};
}

Json step(const HandleView& view, const HandleStep& s) {
  Json contacts = Json::array();
  for (const HandleContact& c : s.contacts) contacts.push_back(contact(view, c));
  return {{"t", s.time},
          {"status", name(s.status)},
          {"pose", pose_keys(s.pose)},
          {"distance_left", s.distance_left},
          {"angle_left_deg", s.angle_left * kDegrees},
          {"force", vector(s.force)},
          {"torque", vector(s.torque)},
          {"centre", vector(s.centre)},
          {"rounds", s.rounds},
          {"contacts", contacts}};
}

Json summary(const HandleView& view) {
  const HandleFacts facts = simulation::facts_of(view);
  Json holding = Json::array();
  for (const simulation::HoldingPart& part : facts.holding)
    holding.push_back({{"part", view.study.parts[part.part].name},
                       {"seconds", part.seconds},
                       {"greatest_force", part.force},
                       {"t", view.result.steps[part.step].time}});
  Json left = Json::array();
  for (const std::size_t part : facts.left) left.push_back(view.study.parts[part].name);
  double clearance = kInfinity;
  for (const double c : simulation::clearances_of(view)) clearance = std::min(clearance, c);
  const bool any = !view.result.steps.empty();
  return {{"seconds", facts.seconds},
          {"seconds_held_back", facts.held_back},
          {"seconds_touching", facts.touching},
          {"arrived", facts.arrived},
          {"distance_left", any ? Json(view.result.steps.back().distance_left) : Json()},
          {"angle_left_deg", any ? Json(view.result.steps.back().angle_left * kDegrees) : Json()},
          {"greatest_force", facts.force},
          {"held_back_by", holding},
          {"left", left},
          {"least_clearance", finite(clearance)}};
}

}  // namespace

std::string handle_json(const HandleView& view) {
  const HandleResult& result = view.result;
  JsonText out;
  out.member("touche_handle", 1);
  out.member("version", kVersion);
  out.member("study", {{"file", view.study.file.generic_string()},
                       {"fingerprint", fmt::format("{:016x}", view.study.fingerprint)},
                       {"title", view.study.title},
                       {"unit", view.study.unit},
                       {"tolerance", view.study.tolerance},
                       {"clearance_threshold", view.study.clearance}});
  out.member("hand", {{"poses", view.hand.poses.size()},
                      {"from", view.hand.times.front()},
                      {"to", view.hand.times.back()}});
  Json names = Json::array();
  for (const std::size_t p : view.study.groups[result.group].parts)
    names.push_back(view.study.parts[p].name);
  out.member("held", {{"group", view.study.groups[result.group].name},
                      {"parts", names},
                      {"clearance", result.clearance},
                      {"stiffness", result.stiffness},
                      {"friction", result.friction}});
  out.member("verdict", {{"status", name(result.verdict)}, {"sentence", handle_sentence(view)}});
  out.member("summary", summary(view));
  out.member("proof", {{"status", name(result.proof.verdict)},
                       {"sentence", verdict_sentence({result.taken, view.parts, result.proof})},
                       {"free_until", result.proof.time.lower},
                       {"poses", result.path.poses.size()},
                       {"work", work(result.proof.stats)}});
  out.list("steps", result.steps.size(),
           [&](std::size_t i) { return step(view, result.steps[i]); });
  return out.finish();
}

std::string forces_csv(const HandleView& view) {
  const std::vector<double> clearances = simulation::clearances_of(view);
  std::string out =
      "t,status,distance_left,angle_left_deg,force_x,force_y,force_z,torque_x,torque_y,torque_z,"
      "centre_x,centre_y,centre_z,contacts,held_back_by,clearance\n";
  std::size_t pose = 0;  // of the way, when a step ended
  for (const HandleStep& step : view.result.steps) {
    while (view.result.path.times[pose] < step.time) ++pose;
    std::string others;
    for (const HandleContact& c : step.contacts) {
      const std::string& other = view.study.parts[c.other].name;
      if (c.force.norm() > 0 && ("; " + others + "; ").find("; " + other + "; ") == others.npos)
        others += (others.empty() ? "" : "; ") + other;
    }
    const auto xyz = [](const Vec3& v) { return fmt::format("{},{},{}", v.x(), v.y(), v.z()); };
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{},{},{}\n", step.time,
                   name(step.status), step.distance_left, step.angle_left * kDegrees,
                   xyz(step.force), xyz(step.torque), xyz(step.centre), step.contacts.size(),
                   report::cell(others), report::cell(clearances[pose]));
  }
  return out;
}

std::string taken_study_json(const HandleView& view, const std::filesystem::path& folder) {
  const Study& study = view.result.taken;
  JsonText out;
  out.member("touche_study", 1);
  out.member("title", study.title);
  out.member("comment", handle_sentence(view));
  out.member("unit", study.unit);
  out.member("tolerance", study.tolerance);
  out.member("clearance_threshold", study.clearance);
  if (!study.max_touching_thickness)
    out.member("touching", "chord_error");
  else if (*study.max_touching_thickness > 0)
    out.member("touching", *study.max_touching_thickness);
  if (study.may_separate) out.member("may_separate", true);
  if (!study.allowed_contacts.empty())
    out.list("allowed_contacts", study.allowed_contacts.size(), [&](std::size_t i) {
      const AllowedContact& pair = study.allowed_contacts[i];
      return Json{{"parts", {study.parts[pair.part_a].name, study.parts[pair.part_b].name}},
                  {"reason", pair.reason}};
    });
  out.list("parts", study.parts.size(), [&](std::size_t p) {
    const StudyPart& part = study.parts[p];
    const std::filesystem::path file = std::filesystem::proximate(part.file, folder);
    return Json{{"name", part.name},
                {"file", file.generic_string() + (part.node.empty() ? "" : "#" + part.node)},
                {"scale", part.scale},
                {"pose", pose_keys(part.pose)}};
  });
  out.list("groups", study.groups.size(), [&](std::size_t g) {
    Json names = Json::array();
    for (const std::size_t p : study.groups[g].parts) names.push_back(study.parts[p].name);
    const Json still = pose_keys(study.groups[g].motion.pose(0));
    return Json{{"name", study.groups[g].name},
                {"parts", names},
                {"motion", g == view.result.group ? Json{{"csv", "path.csv"}}
                                                  : Json{{"poses", {still, still}}}}};
  });
  return out.finish();
}

}  // namespace touche
