// SPDX-License-Identifier: Apache-2.0
// Writes the results as JSON, see docs/simulation-result.schema.json. Nothing in it depends on the
// machine, the clock or the number of threads.
#include <fmt/core.h>

#include "simulation/describe.h"
#include "study/json_text.h"
#include "touche/simulation.h"
#include "touche/version.h"

namespace touche {
namespace {

using namespace study;

Json pose(const Pose& pose) {
  const Eigen::Quaterniond q = pose.rotation();
  return {{"translation", vector(pose.translation())},
          {"quaternion", {q.w(), q.x(), q.y(), q.z()}}};
}

Json scene(const SimulationResult& result) {
  const Simulation& own = result.simulation;
  return {{"title", own.title},
          {"file", own.file.generic_string()},
          {"fingerprint", fmt::format("{:016x}", own.fingerprint)},
          {"unit", own.unit},
          {"bodies", own.bodies.size()},
          {"duration", own.duration},
          {"time_step", own.time_step},
          {"tolerance", own.tolerance}};
}

Json step(const SimulationStep& s) {
  return {{"time", s.time},
          {"kinetic_energy", s.kinetic},
          {"potential_energy", s.potential},
          {"momentum", vector(s.momentum)},
          {"angular_momentum", vector(s.angular_momentum)},
          {"impacts", s.impacts},
          {"contacts", s.contacts},
          {"lost_time", s.lost},
          {"proved_pairs", s.proved}};
}

Json body(const SimulationResult& result, std::size_t b) {
  const SimulationBody& own = result.simulation.bodies[b];
  Json made = {{"name", own.name},
               {"fixed", own.fixed},
               {"mass", result.parts.mass[b].mass},
               {"triangles", simulation::triangles_of(result, b)},
               {"end", pose(result.poses[b].back())}};
  if (const Shape* shape = simulation::convex_shape(result, b)) {
    const bool is_half_space = shape->kind() == ShapeKind::half_space;
    made["shape"] = is_half_space ? "half_space" : name(shape->kind());
  }
  return made;
}

Json joint(const SimulationResult& result, std::size_t j) {
  const SimulationJoint& own = result.simulation.joints[j];
  const SimulationJointResult& ended = result.joints[j];
  Json made = {{"type", name(own.type)}, {"body", result.simulation.bodies[own.body].name}};
  if (own.to) made["to"] = result.simulation.bodies[*own.to].name;
  made["contacts"] = own.contacts || !own.to;
  made["end"] = ended.position;
  made["force"] = ended.force;
  made["drift"] = ended.drift;
  return made;
}

Json unproved(const SimulationResult& result, const UnprovedPair& p) {
  return {{"step", p.step},
          {"body_a", result.simulation.bodies[p.body_a].name},
          {"body_b", result.simulation.bodies[p.body_b].name},
          {"status", name(p.status)},
          {"free_until", p.time}};
}

Json stuck(const SimulationResult& result, const StuckPair& p) {
  Json made = {{"step", p.step},
               {"body_a", result.simulation.bodies[p.body_a].name},
               {"body_b", result.simulation.bodies[p.body_b].name}};
  if (p.separation && p.separation->status != SeparationStatus::undecided)
    made["separation"] = {
        {"status", name(p.separation->status)},
        {"distance",
         {{"lower", p.separation->distance.lower}, {"upper", p.separation->distance.upper}}},
        {"direction", vector(p.separation->direction)},
        {"shift", vector(p.separation->shift)}};
  return made;
}

}  // namespace

std::string result_json(const SimulationResult& result) {
  JsonText out;
  out.member("touche_simulation_result", 1);
  out.member("version", kVersion);
  out.member("scene", scene(result));
  out.member("verdict", {{"status", name(result.verdict)}, {"sentence", verdict_sentence(result)}});
  if (const std::vector<std::string> remarks = simulation_remarks(result); !remarks.empty())
    out.member("remarks", remarks);
  out.member("impacts", result.impacts.size());
  out.member("lost_time", result.lost);
  out.member("proof", {{"pairs", result.proved}, {"work", work(result.proof)}});
  out.list("unproved", result.unproved.size(),
           [&](std::size_t i) { return unproved(result, result.unproved[i]); });
  out.list("stuck", result.stuck.size(),
           [&](std::size_t i) { return stuck(result, result.stuck[i]); });
  if (!result.resolved.empty())
    out.list("resolved", result.resolved.size(), [&](std::size_t i) {
      return Json{{"body", result.simulation.bodies[result.resolved[i].body].name},
                  {"shift", vector(result.resolved[i].shift)}};
    });
  if (!result.contained.empty())
    out.list("contained", result.contained.size(), [&](std::size_t i) {
      const ContainedStart& start = result.contained[i];
      return Json{{"inner", result.simulation.bodies[start.inner].name},
                  {"outer", result.simulation.bodies[start.outer].name},
                  {"is_unknown", start.is_unknown}};
    });
  out.member("may_reach_in", result.may_reach_in);
  out.list("unresolved", result.unresolved.size(), [&](std::size_t i) {
    return Json::array({result.simulation.bodies[result.unresolved[i].first].name,
                        result.simulation.bodies[result.unresolved[i].second].name});
  });
  out.list("bodies", result.simulation.bodies.size(),
           [&](std::size_t b) { return body(result, b); });
  if (!result.simulation.joints.empty())
    out.list("joints", result.simulation.joints.size(),
             [&](std::size_t j) { return joint(result, j); });
  out.list("steps", result.steps.size(), [&](std::size_t i) { return step(result.steps[i]); });
  return out.finish();
}

}  // namespace touche
