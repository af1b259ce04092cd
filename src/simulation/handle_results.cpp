// SPDX-License-Identifier: Apache-2.0
// The results of a dragged part for programs: result.json (docs/handle.schema.json), forces.csv,
// and the study of the path that was taken. Nothing in them depends on the machine, the clock or
// the number of threads.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "report/csv.h"
#include "simulation/handle_facts.h"
#include "study/json_text.h"
#include "study/study_file.h"
#include "touche/version.h"

namespace touche {
namespace {

using namespace study;
using simulation::HandleFacts;

Json contact(const HandleResult& result, const HandleContact& c) {
  return {{"part", result.study.parts[c.part].name},
          {"other", result.study.parts[c.other].name},
          {"face", c.contact.face_a},
          {"other_face", c.contact.face_b},
          {"feature", feature(c.contact.feature_a, result.parts[c.part].soup())},
          {"other_feature", feature(c.contact.feature_b, result.parts[c.other].soup())},
          {"point", vector(c.contact.point_a)},
          {"other_point", vector(c.contact.point_b)},
          {"normal", vector(c.contact.normal)},
          {"distance", c.contact.distance},
          {"force", vector(c.force)}};
}

Json step(const HandleResult& result, const HandleStep& s) {
  Json contacts = Json::array();
  for (const HandleContact& c : s.contacts) contacts.push_back(contact(result, c));
  return {{"t", s.time},
          {"status", name(s.status)},
          {"pose", pose_keys(s.pose)},
          {"distance_left", s.distance_left},
          {"angle_left_deg", s.angle_left * simulation::kDegrees},
          {"force", vector(s.force)},
          {"torque", vector(s.torque)},
          {"centre", vector(s.centre)},
          {"rounds", s.rounds},
          {"complete", s.complete},
          {"contacts", contacts}};
}

Json summary(const HandleResult& result) {
  const HandleFacts facts = simulation::facts_of(result);
  Json holding = Json::array();
  for (const simulation::HoldingPart& part : facts.holding)
    holding.push_back({{"part", result.study.parts[part.part].name},
                       {"seconds", part.seconds},
                       {"greatest_force", part.force},
                       {"t", result.steps[part.step].time}});
  Json left = Json::array();
  for (const std::size_t part : facts.left) left.push_back(result.study.parts[part].name);
  double clearance = result.least_distance;
  for (const double c : simulation::clearances_of(result)) clearance = std::min(clearance, c);
  const bool any = !result.steps.empty();
  return {{"seconds", facts.seconds},
          {"seconds_held_back", facts.held_back},
          {"seconds_touching", facts.touching},
          {"arrived", facts.arrived},
          {"distance_left", any ? Json(result.steps.back().distance_left) : Json()},
          {"angle_left_deg",
           any ? Json(result.steps.back().angle_left * simulation::kDegrees) : Json()},
          {"greatest_force", facts.force},
          {"steps_cut_short", facts.cut_short},
          {"steps_stood_still", facts.stood_still},
          {"held_back_by", holding},
          {"left", left},
          {"start_clearance", finite(result.start_distance)},
          {"least_clearance", finite(clearance)}};
}

}  // namespace

std::string handle_json(const HandleResult& result) {
  JsonText out;
  out.member("touche_handle", 1);
  out.member("version", kVersion);
  out.member("study", {{"file", result.study.file.generic_string()},
                       {"fingerprint", fmt::format("{:016x}", result.study.fingerprint)},
                       {"title", result.study.title},
                       {"unit", result.study.unit},
                       {"tolerance", result.study.tolerance},
                       {"clearance_threshold", result.study.clearance}});
  out.member("hand", {{"poses", result.hand.poses.size()},
                      {"from", result.hand.times.front()},
                      {"to", result.hand.times.back()}});
  Json names = Json::array();
  for (const std::size_t p : result.study.groups[result.group].parts)
    names.push_back(result.study.parts[p].name);
  out.member("held", {{"group", result.study.groups[result.group].name},
                      {"parts", names},
                      {"clearance", result.clearance},
                      {"stiffness", result.stiffness},
                      {"friction", result.friction},
                      {"max_work",
                       result.max_work == Budget::kUnlimited ? Json() : Json(result.max_work)}});
  out.member("verdict", {{"status", name(result.verdict)}, {"sentence", handle_sentence(result)}});
  out.member("summary", summary(result));
  if (const auto remarks = study_remarks(result.proof); !remarks.empty())
    out.member("remarks", remarks);
  out.member("proof", {{"status", name(result.proof.verdict)},
                       {"sentence", verdict_sentence(result.proof)},
                       {"free_until", result.proof.time.lower},
                       {"poses", result.path.poses.size()},
                       {"steps", result.proof.steps.size()},
                       {"steps_examined", simulation::examined_steps(result.proof)},
                       {"work", work(result.proof.stats)}});
  out.list("steps", result.steps.size(),
           [&](std::size_t i) { return step(result, result.steps[i]); });
  return out.finish();
}

std::string forces_csv(const HandleResult& result) {
  const std::vector<double> clearances = simulation::clearances_of(result);
  std::string out =
      "t,status,distance_left,angle_left_deg,force_x,force_y,force_z,torque_x,torque_y,torque_z,"
      "centre_x,centre_y,centre_z,contacts,held_back_by,clearance\n";
  std::size_t pose = 0;  // of the path, at the end of a step
  for (const HandleStep& step : result.steps) {
    while (result.path.times[pose] < step.time) ++pose;
    std::string others;
    for (const HandleContact& c : step.contacts) {
      const std::string& other = result.study.parts[c.other].name;
      if (c.force.norm() > 0 && ("; " + others + "; ").find("; " + other + "; ") == others.npos)
        others += (others.empty() ? "" : "; ") + other;
    }
    const auto xyz = [](const Vec3& v) { return fmt::format("{},{},{}", v.x(), v.y(), v.z()); };
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{},{},{}\n", step.time,
                   name(step.status), step.distance_left, step.angle_left * simulation::kDegrees,
                   xyz(step.force), xyz(step.torque), xyz(step.centre), step.contacts.size(),
                   report::cell(others), report::cell(clearances[pose]));
  }
  return out;
}

std::string taken_study_json(const HandleResult& result, const std::filesystem::path& folder) {
  std::vector<std::string> tables(result.proof.study.groups.size());
  tables[result.group] = "path.csv";
  return study_json(result.proof.study, handle_sentence(result), tables, folder);
}

}  // namespace touche
