// SPDX-License-Identifier: Apache-2.0
// Writes the answers as JSON, see docs/clash-result.schema.json. The output does not depend on the
// machine, the clock or the number of threads.
#include <algorithm>
#include <span>

#include "clash/earlier_parts.h"
#include "study/json_text.h"
#include "touche/clash.h"
#include "touche/version.h"

namespace touche {
namespace {

using namespace study;

Json assembly(const ClashParts& parts) {
  std::size_t triangles = 0;
  for (const ClashPart& part : parts.parts)
    triangles += parts.objects[part.object].soup().triangle_count();
  Json made = {{"source", parts.source}, {"unit", parts.unit}};
  if (parts.up) made["up"] = name(*parts.up);
  if (parts.split) made["split"] = name(*parts.split);
  if (parts.weld) made["weld"] = *parts.weld;
  if (const auto& at = parts.animation)
    made["animation"] = {{"name", at->name}, {"seconds", at->seconds}};
  made["turned"] = Json::array();
  for (const TurnedFile& turned : parts.turned)
    made["turned"].push_back({{"file", turned.file}, {"up", name(turned.up)}});
  made["parts"] = parts.parts.size();
  made["meshes"] = parts.objects.size();
  made["triangles"] = triangles;
  return made;
}

Json set(const ClashSet& s) {
  Json all = Json::array();
  for (const auto* list : {&s.patterns, &s.files})
    for (const std::string& text : *list) all.push_back(text);
  return all;
}

Json tests(const ClashResult& result) {
  Json all = Json::array();
  for (const ClashTestResult& test : result.tests)
    all.push_back({{"name", test.name},
                   {"type", name(test.kind)},
                   {"examined", test.examined},
                   {"failed", test.failed.size()}});
  return all;
}

Json clusters_json(const ClashResult& result) {
  const auto list = [&](const std::vector<ClashCluster>& clusters, bool by_part) {
    Json all = Json::array();
    for (const ClashCluster& cluster : clusters) {
      Json made = Json::object();
      if (by_part) made["part"] = result.parts.parts[cluster.part].name;
      made["centre"] = vector(cluster.centre);
      made["radius"] = cluster.radius;
      made["pairs"] = cluster.pairs;
      all.push_back(std::move(made));
    }
    return all;
  };
  const double reach = cluster_reach(result.parts);
  return {{"reach", reach},
          {"by_part", list(clusters_by_part(result), true)},
          {"by_position", list(clusters_by_position(result, reach), false)}};
}

Json options(const ClashOptions& o) {
  Json made = {{"clearance", o.clearance},
               {"touching",
                o.max_touching_thickness ? Json(*o.max_touching_thickness) : Json("chord_error")},
               {"ignore_thinner", o.ignore_thinner},
               {"tolerance", o.tolerance ? Json(*o.tolerance) : Json("single_precision")},
               {"relative_error", o.relative_error},
               {"thickness_work", o.thickness_points}};
  if (o.between)
    made["between"] = {{"against", set(o.between->against)}, {"of", set(o.between->of)}};
  return made;
}

Json counts(std::span<const std::size_t> numbers, std::span<const std::string_view> names) {
  Json result = Json::object();
  for (std::size_t i = 0; i < numbers.size(); ++i) result[std::string(names[i])] = numbers[i];
  return result;
}

// Of a mesh, for later comparisons.
struct MeshMarks {
  std::string hash, faces;
  double area = 0, volume = 0;
  Vec3 centre = Vec3::Zero();
};

Json part(const ClashParts& parts, std::size_t p, const MeshMarks& mesh) {
  const ClashPart& own = parts.parts[p];
  const Eigen::Quaterniond turn = own.pose.rotation();
  Json made = {{"name", own.name},
               {"group", own.group},
               {"mesh", own.object},
               {"mesh_hash", mesh.hash},
               {"faces_hash", mesh.faces},
               {"area", mesh.area},
               {"volume", mesh.volume},
               {"centre", vector(mesh.centre)},
               {"triangles", parts.objects[own.object].soup().triangle_count()},
               {"pose",
                {{"translation", vector(own.pose.translation())},
                 {"quaternion", {turn.w(), turn.x(), turn.y(), turn.z()}}}}};
  if (const Aabb box = clash::world_box(parts, p); box.lo.allFinite() && box.hi.allFinite())
    made["box"] = {{"lo", vector(box.lo)}, {"hi", vector(box.hi)}};
  return made;
}

Json bracket(const Bracket& b) { return {{"lower", b.lower}, {"upper", b.upper}}; }

Json contact(const ClashParts& parts, const ClashPair& pair) {
  const Contact& c = *pair.contact;
  const auto soup = [&](std::size_t p) -> const PolygonSoup& {
    return parts.objects[parts.parts[p].object].soup();
  };
  return {{"face_a", c.face_a},
          {"face_b", c.face_b},
          {"feature_a", feature(c.feature_a, soup(pair.part_a))},
          {"feature_b", feature(c.feature_b, soup(pair.part_b))},
          {"point_a", vector(c.point_a)},
          {"point_b", vector(c.point_b)},
          {"normal", vector(c.normal)}};
}

void add_work_on(const ClashResult& whole, std::size_t index, Json& result) {
  const ClashPair& p = whole.pairs[index];
  if (p.duplicate) result["duplicate"] = true;
  Json failed = Json::array();
  for (const ClashTestResult& test : whole.tests)
    if (std::binary_search(test.failed.begin(), test.failed.end(), index))
      failed.push_back(test.name);
  if (!failed.empty()) result["tests"] = std::move(failed);
  if (p.move)
    result["move"] = {{"part", whole.parts.parts[p.move->part].name},
                      {"shift", vector(p.move->shift)},
                      {"length", p.move->shift.norm()},
                      {"least", p.move->least}};
  if (!p.note) return;
  result["status"] = name(p.note->accepted ? ClashStatus::approved : p.note->status);
  if (!p.note->assignee.empty()) result["assignee"] = p.note->assignee;
  if (!p.note->text.empty()) result["note"] = p.note->text;
}

Json pair(const ClashParts& parts, const ClashPair& p) {
  Json result = {{"part_a", parts.parts[p.part_a].name},
                 {"part_b", parts.parts[p.part_b].name},
                 {"class", name(p.verdict)}};
  if (p.accepted) result["accepted"] = *p.accepted;
  if (p.distance.upper < kInfinity) result["distance"] = bracket(p.distance);
  if (p.thickness.diameter.upper < kInfinity) {
    result["thickness"] = bracket(p.thickness.diameter);
    if (p.thickness.diameter.lower > 0) result["centre"] = vector(p.thickness.centre);
  }
  if (p.max_touching_thickness > 0) {
    result["touching"] = p.max_touching_thickness;
    result["allowance"] = name(p.allowance);
  }
  if (!p.closed) result["closed"] = false;
  if (p.may_reach_in) result["may_reach_in"] = true;
  if (p.containment != Containment::none && p.containment != Containment::undecided)
    result["containment"] = name(p.containment);
  if (p.contact) result["contact"] = contact(parts, p);
  return result;
}

Json part_changes_json(const ClashComparison& comparison) {
  Json list = Json::array();
  for (const ClashPartChange& change : comparison.parts) {
    Json made = {{"change", name(change.kind)}, {"part", change.part}};
    if (change.moved > 0) made["moved"] = change.moved;
    list.push_back(std::move(made));
  }
  return list;
}

Json difference(const ClashDifference& d) {
  Json result = {{"change", name(d.change)},
                 {"part_a", d.part_a},
                 {"part_b", d.part_b},
                 {"before", name(d.before)},
                 {"now", name(d.now)}};
  if (d.thickness_before.upper < kInfinity)
    result["thickness_before"] = bracket(d.thickness_before);
  if (d.distance_before.upper < kInfinity) result["distance_before"] = bracket(d.distance_before);
  return result;
}

}  // namespace

std::string clash_json(const ClashResult& result) {
  JsonText out;
  out.member("touche_clash_result", 1);
  out.member("version", kVersion);
  out.member("assembly", assembly(result.parts));
  out.member("options", options(result.options));
  out.member("verdict", {{"status", name(result.verdict)}, {"sentence", clash_sentence(result)}});
  out.member("counts", counts(result.counts, names<ClashPairVerdict>()));
  out.member("accepted", counts(result.accepted, names<ClashPairVerdict>()));
  out.member("ignored", result.ignored);
  out.member("outside", result.outside);
  out.member("examined", result.examined);
  out.member("may_reach_in", result.may_reach_in);
  if (!result.tests.empty()) out.member("tests", tests(result));
  out.list("left_out", result.parts.left_out.size(), [&](std::size_t i) {
    const LeftOutPart& gone = result.parts.left_out[i];
    return Json{{"name", gone.name}, {"reason", gone.reason}};
  });
  Json remarks = result.parts.remarks;
  for (const std::string& remark : result.remarks) remarks.push_back(remark);
  out.member("remarks", remarks);
  if (const std::optional<ClashComparison>& comparison = result.comparison) {
    out.member("comparison", {{"earlier", comparison->earlier.generic_string()},
                              {"sentence", comparison_sentence(result)},
                              {"counts", counts(comparison->counts, names<ClashChange>())},
                              {"parts", part_changes_json(*comparison)},
                              {"remarks", comparison->remarks}});
    std::vector<const ClashDifference*> different;
    for (const ClashDifference& d : comparison->pairs)
      if (d.change != ClashChange::unchanged) different.push_back(&d);
    out.list("differences", different.size(),
             [&](std::size_t i) { return difference(*different[i]); });
  }
  std::vector<MeshMarks> meshes;
  for (const Object& object : result.parts.objects)
    meshes.push_back({clash::mesh_hash(object.soup()), clash::faces_hash(object.soup()),
                      clash::mesh_area(object.soup()), clash::mesh_volume(object.soup()),
                      clash::mesh_centre(object.soup())});
  out.list("parts", result.parts.parts.size(), [&](std::size_t p) {
    return part(result.parts, p, meshes[result.parts.parts[p].object]);
  });
  out.list("pairs", result.pairs.size(), [&](std::size_t i) {
    Json made = pair(result.parts, result.pairs[i]);
    add_work_on(result, i, made);
    return made;
  });
  out.member("clusters", clusters_json(result));
  out.member("work", work(result.stats));
  return out.finish();
}

}  // namespace touche
