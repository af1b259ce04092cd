// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "report/svg.h"
#include "report/words.h"
#include "study/describe.h"
#include "study/fingerprint.h"
#include "study/picture.h"
#include "study/report_parts.h"
#include "study/shape_words.h"
#include "study/step_bounds.h"

namespace touche::study {
namespace {

using namespace report;

// Lists the defects of a mesh that affect how far its answers can be trusted.
std::string health_notes(const Health& h) {
  std::string notes = h.closed ? "closed"
                      : h.boundary_edges > 0
                          ? fmt::format("open ({})", count_text(h.boundary_edges, "boundary edge"))
                          : std::string("not closed");
  if (!h.oriented)
    notes +=
        fmt::format(", inconsistently oriented ({})", count_text(h.inconsistent_edges, "edge"));
  const auto mention = [&](Index count, const char* what, const char* more = "") {
    if (count > 0) notes += ", " + count_text(count, what) + more;
  };
  if (h.components > 1) mention(h.components, "component");
  mention(h.zero_area_faces, "zero-area face");
  mention(h.duplicate_faces, "duplicate face");
  mention(h.non_manifold_edges, "non-manifold edge");
  mention(h.non_planar_faces, "non-planar face", ", triangulated");
  mention(h.concave_faces, "concave face", ", triangulated");
  return notes;
}

// "engine.glb#Crankcase/Piston 1, in which y is up: turned", or "sphere, radius 20"
std::string file_text(const StudyPart& part) {
  if (part.shape) return escape(shape_text(part));
  std::string text = part.file.filename().string() + (part.node.empty() ? "" : "#" + part.node);
  if (part.frame.up != UpAxis::z)
    text += fmt::format(", in which {} is up: turned", name(part.frame.up));
  if (part.stretch != Vec3::Ones())
    text += fmt::format(", {} by ({:g}, {:g}, {:g})",
                        part.stretch.prod() < 0 ? "mirrored: stretched" : "stretched",
                        part.stretch.x(), part.stretch.y(), part.stretch.z());
  return escape(text);
}

std::string mesh_text(const StudyResult& result, std::size_t part) {
  if (!result.study.parts[part].shape) return health_notes(result.health[part]);
  const double error = mesh_error_of(result.study, part);
  if (!(error > 0)) return "exact: a polytope";
  return fmt::format("around the shape, larger by up to {}",
                     escape(length_text(error, result.study.unit, Rounding::up)));
}

std::string grouped(std::size_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, "&#8239;");
  return digits;
}

}  // namespace

namespace {

std::string drawings_section(const StudyResult& result) {
  const std::vector<std::size_t> groups = group_of_part(result.study);
  std::string out =
      "<h2>Parts</h2>\n<div class=\"scroll\"><table><thead><tr><th>part</th><th>moves with</th>"
      "<th class=\"n\">edges</th><th class=\"n\">size</th><th>outline</th><th>file, checksum</th>"
      "</tr></thead><tbody>\n";
  for (std::size_t p = 0; p < result.parts.size(); ++p) {
    const PolygonSoup& soup = result.parts[p].soup();
    const Vec3 size = soup.bounds().hi - soup.bounds().lo;
    out += fmt::format(
        "<tr><td><span class=\"chip\" style=\"background:{}\"></span>{}</td><td>{}</td>"
        "<td class=\"n\">{}</td><td class=\"n\">{:.4g} × {:.4g}</td><td>{}</td><td>{}<br><span "
        "class=\"note\">{:016x}</span></td></tr>\n",
        part_colour(result.study, p), escape(result.study.parts[p].name),
        groups[p] == kFixed ? "fixed" : escape(result.study.groups[groups[p]].name),
        grouped(soup.face_count()), size.x(), size.y(),
        result.health[p].closed ? "closed" : "has open chains", file_text(result.study.parts[p]),
        mesh_fingerprint(soup));
  }
  return out + fmt::format(
                   "</tbody></table></div>\n<p class=\"note\">Sizes in {}, along the axes at the "
                   "start. Curves are chords. Open chains are tested like any other, and enclose "
                   "nothing. Checksums are of the coordinates as they were tested.</p>\n",
                   escape(result.study.unit));
}

}  // namespace

std::string parts_section(const StudyResult& result) {
  if (of_drawings(result)) return drawings_section(result);
  const std::vector<std::size_t> groups = group_of_part(result.study);
  const bool shapes = has_shapes(result.study);
  std::string out = fmt::format(
      "<h2>Parts</h2>\n<div class=\"scroll\"><table><thead><tr><th>part</th><th>moves with</th>"
      "<th class=\"n\">faces</th><th class=\"n\">triangles</th><th class=\"n\">size</th>"
      "<th>mesh</th><th>{}, checksum</th></tr></thead><tbody>\n",
      shapes ? "file or shape" : "file");
  for (std::size_t p = 0; p < result.parts.size(); ++p) {
    const PolygonSoup& soup = result.parts[p].soup();
    const Vec3 size = soup.bounds().hi - soup.bounds().lo;
    out += fmt::format(
        "<tr><td><span class=\"chip\" style=\"background:{}\"></span>{}</td><td>{}</td>"
        "<td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{:.4g} × {:.4g} × {:.4g}</td><td>{}</td><td>{}<br><span "
        "class=\"note\">{:016x}</span></td></tr>\n",
        part_colour(result.study, p), escape(result.study.parts[p].name),
        groups[p] == kFixed ? "fixed" : escape(result.study.groups[groups[p]].name),
        grouped(soup.face_count()), grouped(soup.triangle_count()), size.x(), size.y(), size.z(),
        mesh_text(result, p), file_text(result.study.parts[p]), mesh_fingerprint(soup));
  }
  out += fmt::format(
      "</tbody></table></div>\n<p class=\"note\">Sizes in {}, along the axes at the start. Open or "
      "inconsistent meshes are tested like any other; what is missing in a mesh cannot "
      "touch. Checksums are of the coordinates and faces as they were tested.{}</p>\n",
      escape(result.study.unit), shapes ? " Lengths of shapes are in the same unit." : "");
  return out;
}

std::string shapes_item(const StudyResult& result) {
  if (!has_shapes(result.study)) return "";
  const double error = mesh_error_of(result.study);
  if (!(error > 0))
    return "<li><b>Shapes are exact.</b> All shapes here are polytopes, and are tested as they "
           "are. "
           "They "
           "are solid: what lies inside of one is not free.</li>\n";
  return fmt::format(
      "<li><b>Round shapes are tested as polyhedra around them</b>, which are larger by up to {}; "
      "polytopes as they are. All shapes are solid: what lies inside of one is not free. What is "
      "proved free of the polyhedra is free of the shapes. Where a contact is reported, there may "
      "be a gap of as much for each round shape of the two, and clearances may be larger by as "
      "much. Lower bounds of overlaps hold for the shapes.</li>\n",
      escape(length_text(error, result.study.unit, Rounding::up)));
}

std::string foundation_section(const StudyResult& result) {
  std::string motions;
  for (const StudyGroup& group : result.study.groups) {
    std::string names;
    for (const std::size_t p : group.parts)
      names += (names.empty() ? "" : ", ") + result.study.parts[p].name;
    motions += fmt::format("<li>Group <b>{}</b> ({}) moves through {} recorded poses.</li>\n",
                           escape(group.name), escape(names), group.times.size());
  }
  double tolerance = result.study.tolerance;
  for (const PairStep& pair : result.pairs) tolerance = std::max(tolerance, pair.tolerance);
  const bool flat = of_drawings(result);
  return fmt::format(
      "<h2>What this answer rests on</h2>\n<ul>\n{}"
      "<li><b>Free means proved.</b> Where a step is free, the {} of the parts are disjoint at "
      "every position between its two recorded poses, not only at samples of it. The proof covers "
      "the motion exactly as the study defines it between recorded poses; a hand or a robot that "
      "moves otherwise in between is not covered.</li>\n"
      "<li><b>Tolerance {}.</b> Parts that touch are never missed. Parts that pass each other "
      "closer than this without touching may be reported as contact, parts that pass farther "
      "never{}.</li>\n"
      "<li>{} give them: a part wholly inside another, closed one does not touch it{}.</li>\n{}"
      "<li>Clearances step by step are measured at the recorded poses; in between they may be "
      "smaller{}.{}</li>\n"
      "<li>{} pair{} of parts can move relative to each other. Parts of the same group, and parts "
      "that stand still, are not tested against each other.</li>\n</ul>\n",
      motions, flat ? "outlines" : "surfaces",
      escape(length_text(result.study.tolerance, result.study.unit)),
      tolerance > result.study.tolerance
          ? fmt::format(" (for the size of some coordinates {} is used)",
                        escape(length_text(tolerance, result.study.unit)))
          : "",
      flat ? "Edges are tested, as the drawings" : "Surfaces are tested, as the meshes",
      result.paths.empty() ? "" : "; where that is so, the verdict says it", shapes_item(result),
      result.study.clearance > 0
          ? fmt::format(", and clearances above the threshold of {} are not listed",
                        escape(length_text(result.study.clearance, result.study.unit)))
          : "",
      result.paths.empty()
          ? ""
          : fmt::format(" Proved values hold between them, too; the clearance is that of the {}.",
                        flat ? "outlines" : "surfaces"),
      result.pair_count, result.pair_count == 1 ? "" : "s");
}

}  // namespace touche::study
