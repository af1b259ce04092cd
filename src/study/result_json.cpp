// SPDX-License-Identifier: Apache-2.0
// Writes a study's answers as JSON, see docs/result.schema.json. The output does not depend on the
// machine, the clock or the number of threads.
#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "study/describe.h"
#include "study/explain.h"
#include "study/fingerprint.h"
#include "study/json_text.h"
#include "study/step_bounds.h"
#include "study/travel.h"
#include "touche/study.h"
#include "touche/version.h"

namespace touche {
namespace {

using namespace study;

Json part(const Study& study, std::size_t p, const Object& object, const Health& h) {
  const StudyPart& given = study.parts[p];
  const std::size_t group = study::group_of_part(study)[p];
  const PolygonSoup& soup = object.soup();
  Json result = {{"name", given.name}};
  if (given.shape) {
    result["shape"] = Json::parse(given.shape->json);
    result["chord_error"] = given.shape->mesh_error;
  }
  if (!given.file.empty())
    result["file"] = given.file.generic_string() + (given.node.empty() ? "" : "#" + given.node);
  result["scale"] = given.scale;
  if (!given.file.empty()) {
    result["up"] = name(given.frame.up);
    result["stretch"] = vector(given.stretch);
  }
  result["group"] = group == study::kFixed ? Json() : Json(study.groups[group].name);
  result["faces"] = soup.face_count();
  result["triangles"] = soup.triangle_count();
  result["vertices"] = soup.vertex_count();
  result["bounds_at_start"] = {{"lo", vector(soup.bounds().lo)}, {"hi", vector(soup.bounds().hi)}};
  result["fingerprint"] = fmt::format("{:016x}", study::mesh_fingerprint(soup));
  result["health"] = health(h);
  return result;
}

// Two parts at a position of the path.
struct PairAt {
  std::size_t part_a, part_b;
  double s;
};

Json contact(const StudyResult& result, const PairAt& at, const Contact& c) {
  const Vec3 a = study::in_file(result.study, at.part_a, at.s, c.point_a);
  const Vec3 b = study::in_file(result.study, at.part_b, at.s, c.point_b);
  return {{"face_a", c.face_a},
          {"face_b", c.face_b},
          {"feature_a", feature(c.feature_a, result.parts[at.part_a].soup())},
          {"feature_b", feature(c.feature_b, result.parts[at.part_b].soup())},
          {"point_a", vector(c.point_a)},
          {"point_b", vector(c.point_b)},
          {"point_a_in_file", vector(a)},
          {"point_b_in_file", vector(b)},
          {"normal", vector(c.normal)},
          {"distance", c.distance}};
}

Json bracket(double free_until, double touched_at) {
  return {{"free_until", free_until}, {"touched_at", finite(touched_at)}};
}

Json pair_step(const StudyResult& result, const PairStep& pair) {
  const auto s = [&](double t) {
    return std::isfinite(t) ? path_position(result.study, pair.step, t) : kInfinity;
  };
  Json out = {{"step", pair.step},
              {"part_a", result.study.parts[pair.part_a].name},
              {"part_b", result.study.parts[pair.part_b].name},
              {"status", name(pair.status)},
              {"t", bracket(pair.time.lower, pair.time.upper)},
              {"s", bracket(s(pair.time.lower), s(pair.time.upper))},
              {"tolerance", pair.tolerance},
              {"work", work(pair.stats)}};
  if (pair.contact)
    out["contact"] = contact(result, {pair.part_a, pair.part_b, s(pair.time.upper)}, *pair.contact);
  if (!pair.reason.empty()) out["reason"] = pair.reason;
  if (pair.allowed) out["allowed"] = true;
  if (pair.separated_at > 0) out["separated_at"] = s(pair.separated_at);
  return out;
}

Json hint(const StudyResult& result, const StudyHint& hint) {
  Json out = {{"part", result.study.parts[hint.part].name},
              {"other", result.study.parts[hint.other].name},
              {"direction", vector(hint.opening.direction)},
              {"shift", hint.opening.shift},
              {"clearance",
               {{"lower", hint.opening.clearance.lower}, {"upper", hint.opening.clearance.upper}}},
              {"text", explanation(result)}};
  if (hint.shifted)
    out["shifted"] = {{"status", name(hint.shifted->status)},
                      {"s", bracket(hint.shifted->time.lower, hint.shifted->time.upper)},
                      {"helps", study::shift_helps(result)}};
  return out;
}

// An allowed contact that did not occur has no s.
Json allowed_contact(const StudyResult& result, std::size_t i) {
  const AllowedContact& pair = result.study.allowed_contacts[i];
  const auto touch = std::find_if(result.allowed.begin(), result.allowed.end(),
                                  [&](const AllowedTouch& t) { return t.allowed == i; });
  return {{"part_a", result.study.parts[pair.part_a].name},
          {"part_b", result.study.parts[pair.part_b].name},
          {"reason", pair.reason},
          {"s", touch == result.allowed.end() ? Json() : Json(touch->s)}};
}

Json clearance(const StudyResult& result, const Clearance& c) {
  return {
      {"pose", c.pose},
      {"s", result.study.times[c.pose]},
      {"part_a", result.study.parts[c.part_a].name},
      {"part_b", result.study.parts[c.part_b].name},
      {"distance", c.distance},
      {"closest", contact(result, {c.part_a, c.part_b, result.study.times[c.pose]}, c.closest)}};
}

Json contact_interval(const StudyResult& result, const PairPath& pair, const ContactInterval& c) {
  Json out = {{"free_until", c.start.lower},          {"touched_at", c.start.upper},
              {"touched_until", c.end.lower},         {"free_from", c.end.upper},
              {"thickness", thickness(c.deepest)},    {"thickest_at", c.deepest_at},
              {"touching", c.max_touching_thickness}, {"touching_until", c.touching_until},
              {"containment_after", name(c.after)}};
  if (c.first) out["first"] = contact(result, {pair.part_a, pair.part_b, c.start.upper}, *c.first);
  if (c.last) out["last"] = contact(result, {pair.part_a, pair.part_b, c.end.lower}, *c.last);
  return out;
}

Json pair_path(const StudyResult& result, const PairPath& pair) {
  const PathResult& path = pair.path;
  Json contacts = Json::array(), samples = Json::array();
  for (const ContactInterval& c : path.contacts)
    contacts.push_back(contact_interval(result, pair, c));
  for (const ClearanceSample& s : path.samples)
    samples.push_back({s.t, s.clearance.upper, s.clearance.lower});
  return {{"part_a", result.study.parts[pair.part_a].name},
          {"part_b", result.study.parts[pair.part_b].name},
          {"verdict", name(path.verdict)},
          {"least_clearance",
           {{"proved", path.min_clearance.lower},
            {"found", finite(path.min_clearance.upper)},
            {"s", path.min_clearance_at}}},
          {"containment_before", name(path.before)},
          {"may_reach_in", path.may_reach_in},
          {"decided_until", path.decided_until},
          {"tolerance", path.tolerance},
          {"contacts", contacts},
          {"samples", samples},
          {"work", work(path.stats)}};
}

Json open_parts(const StudyResult& result, const PartInside& pair) {
  Json names = Json::array();
  if (pair.a_is_open) names.push_back(result.study.parts[pair.part_a].name);
  if (pair.b_is_open) names.push_back(result.study.parts[pair.part_b].name);
  return names;
}

Json step(std::size_t k, const StudyStep& s) {
  return {{"step", k},
          {"s", {s.s_start, s.s_end}},
          {"status", name(s.status)},
          {"pairs_examined", s.pairs_examined},
          {"pairs_discarded", s.pairs_discarded},
          {"pairs_still", s.pairs_still},
          {"work", work(s.stats)}};
}

Json group(const StudyResult& result, std::size_t g) {
  const Study& study = result.study;
  const StudyGroup& group = study.groups[g];
  const Travel way =
      group.parts.empty() ? Travel{} : travel_of_part(result, group.parts.front(), 1);
  Json names = Json::array();
  for (const std::size_t p : group.parts) names.push_back(study.parts[p].name);
  return {{"name", group.name},
          {"parts", names},
          {"times", group.times},
          {"travel", {{"length", way.length}, {"angle_deg", way.angle * 180 / std::numbers::pi}}}};
}

}  // namespace

std::string result_json(const StudyResult& result) {
  JsonText out;
  out.member("touche_result", 1);
  out.member("version", kVersion);
  out.member("study", {{"file", result.study.file.generic_string()},
                       {"fingerprint", fmt::format("{:016x}", result.study.fingerprint)},
                       {"title", result.study.title},
                       {"unit", result.study.unit},
                       {"tolerance", result.study.tolerance},
                       {"clearance_threshold", result.study.clearance}});
  out.member("verdict", {{"status", name(result.verdict)},
                         {"sentence", verdict_sentence(result)},
                         {"free_until", result.time.lower},
                         {"first_contact", result.first ? Json(*result.first) : Json()}});
  out.list("parts", result.parts.size(),
           [&](std::size_t p) { return part(result.study, p, result.parts[p], result.health[p]); });
  if (const std::vector<std::string> remarks = study_remarks(result); !remarks.empty())
    out.member("remarks", remarks);
  out.list("groups", result.study.groups.size(), [&](std::size_t g) { return group(result, g); });
  if (result.hint) out.member("hint", hint(result, *result.hint));
  out.member("pair_count", result.pair_count);
  out.list("steps", result.steps.size(), [&](std::size_t k) { return step(k, result.steps[k]); });
  out.list("pairs", result.pairs.size(),
           [&](std::size_t i) { return pair_step(result, result.pairs[i]); });
  out.list("clearances", result.clearances.size(),
           [&](std::size_t i) { return clearance(result, result.clearances[i]); });
  out.list("allowed_contacts", result.study.allowed_contacts.size(),
           [&](std::size_t i) { return allowed_contact(result, i); });
  out.list("separated", result.separated.size(), [&](std::size_t i) {
    const PartsSeparate& pair = result.separated[i];
    return Json{{"part_a", result.study.parts[pair.part_a].name},
                {"part_b", result.study.parts[pair.part_b].name},
                {"s", pair.s}};
  });
  out.list("containments", result.containments.size(), [&](std::size_t i) {
    const PartInside& inside = result.containments[i];
    return Json{{"part_a", result.study.parts[inside.part_a].name},
                {"part_b", result.study.parts[inside.part_b].name},
                {"containment", name(inside.containment)},
                {"s", inside.s}};
  });
  out.list("may_contain", result.may_contain.size(), [&](std::size_t i) {
    const PartInside& pair = result.may_contain[i];
    return Json{{"part_a", result.study.parts[pair.part_a].name},
                {"part_b", result.study.parts[pair.part_b].name},
                {"open_parts", open_parts(result, pair)},
                {"s", pair.s}};
  });
  out.list("may_reach_in", result.may_reach_in.size(), [&](std::size_t i) {
    const auto& [a, b] = result.may_reach_in[i];
    return Json{{"part_a", result.study.parts[a].name}, {"part_b", result.study.parts[b].name}};
  });
  out.member("path_count", std::max(result.path_count, result.paths.size()));
  out.list("paths", result.paths.size(),
           [&](std::size_t i) { return pair_path(result, result.paths[i]); });
  out.member("work", work(result.stats));
  return out.finish();
}

}  // namespace touche
