// SPDX-License-Identifier: Apache-2.0
// Writes a study's answers as JSON, see docs/result.schema.json. The output does not depend on the
// machine, the clock or the number of threads.
#include <fmt/core.h>

#include <cmath>

#include "study/describe.h"
#include "study/explain.h"
#include "study/fingerprint.h"
#include "study/json_text.h"
#include "study/step_bounds.h"
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

Json contact(const StudyView& view, const PairAt& at, const Contact& c) {
  const Vec3 a = study::in_file(view.study, at.part_a, at.s, c.point_a);
  const Vec3 b = study::in_file(view.study, at.part_b, at.s, c.point_b);
  return {{"face_a", c.face_a},
          {"face_b", c.face_b},
          {"feature_a", feature(c.feature_a, view.parts[at.part_a].soup())},
          {"feature_b", feature(c.feature_b, view.parts[at.part_b].soup())},
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

Json pair_step(const StudyView& view, const PairStep& pair) {
  const auto s = [&](double t) {
    return std::isfinite(t) ? path_position(view.study, pair.step, t) : kInfinity;
  };
  Json result = {{"step", pair.step},
                 {"part_a", view.study.parts[pair.part_a].name},
                 {"part_b", view.study.parts[pair.part_b].name},
                 {"status", name(pair.status)},
                 {"t", bracket(pair.time.lower, pair.time.upper)},
                 {"s", bracket(s(pair.time.lower), s(pair.time.upper))},
                 {"tolerance", pair.tolerance},
                 {"work", work(pair.stats)}};
  if (pair.contact)
    result["contact"] =
        contact(view, {pair.part_a, pair.part_b, s(pair.time.upper)}, *pair.contact);
  if (!pair.reason.empty()) result["reason"] = pair.reason;
  if (pair.allowed) result["allowed"] = true;
  if (pair.separated_at > 0) result["separated_at"] = s(pair.separated_at);
  return result;
}

Json hint(const StudyView& view, const StudyHint& hint) {
  Json result = {
      {"part", view.study.parts[hint.part].name},
      {"other", view.study.parts[hint.other].name},
      {"direction", vector(hint.opening.direction)},
      {"shift", hint.opening.shift},
      {"clearance",
       {{"lower", hint.opening.clearance.lower}, {"upper", hint.opening.clearance.upper}}},
      {"text", explanation(view)}};
  if (hint.shifted)
    result["shifted"] = {{"status", name(hint.shifted->status)},
                         {"s", bracket(hint.shifted->time.lower, hint.shifted->time.upper)},
                         {"helps", study::shift_helps(view.result)}};
  return result;
}

// An allowed contact that did not occur has no s.
Json allowed_contact(const StudyView& view, std::size_t i) {
  const AllowedContact& pair = view.study.allowed_contacts[i];
  const auto touch = std::find_if(view.result.allowed.begin(), view.result.allowed.end(),
                                  [&](const AllowedTouch& t) { return t.allowed == i; });
  return {{"part_a", view.study.parts[pair.part_a].name},
          {"part_b", view.study.parts[pair.part_b].name},
          {"reason", pair.reason},
          {"s", touch == view.result.allowed.end() ? Json() : Json(touch->s)}};
}

Json clearance(const StudyView& view, const Clearance& c) {
  return {{"pose", c.pose},
          {"s", view.study.times[c.pose]},
          {"part_a", view.study.parts[c.part_a].name},
          {"part_b", view.study.parts[c.part_b].name},
          {"distance", c.distance},
          {"closest", contact(view, {c.part_a, c.part_b, view.study.times[c.pose]}, c.closest)}};
}

Json contact_interval(const StudyView& view, const PairPath& pair, const ContactInterval& c) {
  Json result = {{"free_until", c.start.lower},          {"touched_at", c.start.upper},
                 {"touched_until", c.end.lower},         {"free_from", c.end.upper},
                 {"thickness", thickness(c.deepest)},    {"thickest_at", c.deepest_at},
                 {"touching", c.max_touching_thickness}, {"touching_until", c.touching_until},
                 {"containment_after", name(c.after)}};
  if (c.first) result["first"] = contact(view, {pair.part_a, pair.part_b, c.start.upper}, *c.first);
  if (c.last) result["last"] = contact(view, {pair.part_a, pair.part_b, c.end.lower}, *c.last);
  return result;
}

Json pair_path(const StudyView& view, const PairPath& pair) {
  const PathResult& path = pair.path;
  Json contacts = Json::array(), samples = Json::array();
  for (const ContactInterval& c : path.contacts)
    contacts.push_back(contact_interval(view, pair, c));
  for (const ClearanceSample& s : path.samples)
    samples.push_back({s.t, s.clearance.upper, s.clearance.lower});
  return {{"part_a", view.study.parts[pair.part_a].name},
          {"part_b", view.study.parts[pair.part_b].name},
          {"verdict", name(path.verdict)},
          {"least_clearance",
           {{"proved", path.min_clearance.lower},
            {"found", finite(path.min_clearance.upper)},
            {"s", path.min_clearance_at}}},
          {"containment_before", name(path.before)},
          {"decided_until", path.decided_until},
          {"tolerance", path.tolerance},
          {"contacts", contacts},
          {"samples", samples},
          {"work", work(path.stats)}};
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

Json group(const Study& study, std::size_t g) {
  const StudyGroup& group = study.groups[g];
  Json names = Json::array();
  for (const std::size_t p : group.parts) names.push_back(study.parts[p].name);
  return {{"name", group.name}, {"parts", names}, {"times", group.times}};
}

}  // namespace

std::string result_json(const StudyView& view) {
  JsonText out;
  out.member("touche_result", 1);
  out.member("version", kVersion);
  out.member("study", {{"file", view.study.file.generic_string()},
                       {"fingerprint", fmt::format("{:016x}", view.study.fingerprint)},
                       {"title", view.study.title},
                       {"unit", view.study.unit},
                       {"tolerance", view.study.tolerance},
                       {"clearance_threshold", view.study.clearance}});
  out.member("verdict", {{"status", name(view.result.verdict)},
                         {"sentence", verdict_sentence(view)},
                         {"free_until", view.result.time.lower},
                         {"first_contact", view.result.first ? Json(*view.result.first) : Json()}});
  out.list("parts", view.parts.size(), [&](std::size_t p) {
    return part(view.study, p, view.parts[p], view.result.health[p]);
  });
  if (const std::vector<std::string> remarks = study_remarks(view); !remarks.empty())
    out.member("remarks", remarks);
  out.list("groups", view.study.groups.size(), [&](std::size_t g) { return group(view.study, g); });
  if (view.result.hint) out.member("hint", hint(view, *view.result.hint));
  out.member("pair_count", view.result.pair_count);
  out.list("steps", view.result.steps.size(),
           [&](std::size_t k) { return step(k, view.result.steps[k]); });
  out.list("pairs", view.result.pairs.size(),
           [&](std::size_t i) { return pair_step(view, view.result.pairs[i]); });
  out.list("clearances", view.result.clearances.size(),
           [&](std::size_t i) { return clearance(view, view.result.clearances[i]); });
  out.list("allowed_contacts", view.study.allowed_contacts.size(),
           [&](std::size_t i) { return allowed_contact(view, i); });
  out.list("separated", view.result.separated.size(), [&](std::size_t i) {
    const PartsSeparate& pair = view.result.separated[i];
    return Json{{"part_a", view.study.parts[pair.part_a].name},
                {"part_b", view.study.parts[pair.part_b].name},
                {"s", pair.s}};
  });
  out.list("containments", view.result.containments.size(), [&](std::size_t i) {
    const PartInside& inside = view.result.containments[i];
    return Json{{"part_a", view.study.parts[inside.part_a].name},
                {"part_b", view.study.parts[inside.part_b].name},
                {"containment", name(inside.containment)},
                {"s", inside.s}};
  });
  out.list("paths", view.result.paths.size(),
           [&](std::size_t i) { return pair_path(view, view.result.paths[i]); });
  out.member("work", work(view.result.stats));
  return out.finish();
}

}  // namespace touche
