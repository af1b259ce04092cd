// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <iterator>
#include <map>

#include "report/svg.h"
#include "study/describe.h"
#include "study/picture.h"
#include "study/plot.h"
#include "study/report_parts.h"

namespace touche::study {
namespace {

using namespace report;

constexpr std::size_t kMostRows = 100, kMostPictures = 6;

// A contact as the table shows it: a pair that stays in touch from step to step is one row.
struct Row {
  const PairStep* pair;
  std::size_t last_step;
};

std::vector<Row> rows_of(const StudyResult& result) {
  std::vector<Row> rows;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> open;  // row of a pair
  for (const PairStep& pair : result.pairs) {
    if (pair.status == StepStatus::free || pair.status == StepStatus::not_examined) continue;
    const auto found = open.find({pair.part_a, pair.part_b});
    if (found != open.end() && pair.status == StepStatus::initially_touching &&
        rows[found->second].last_step + 1 == pair.step) {
      rows[found->second].last_step = pair.step;
      continue;
    }
    open[{pair.part_a, pair.part_b}] = rows.size();
    rows.push_back({&pair, pair.step});
  }
  return rows;
}

std::string point(const Vec3& p) {
  return fmt::format("{:.6g}, {:.6g}, {:.6g}", p.x(), p.y(), p.z());
}

std::string side(const Study& study, const Object& object, std::size_t part, Index face,
                 const Feature& feature) {
  std::string text = fmt::format(R"(<span class="chip" style="background:{}"></span>{}<br>face {})",
                                 part_colour(study, part), escape(study.parts[part].name), face);
  if (feature.kind != FeatureKind::face) text += ", " + escape(describe(feature, object.soup()));
  const std::string_view group = object.soup().face_group(face);
  if (!group.empty()) text += fmt::format(R"(<br><span class="note">{}</span>)", escape(group));
  return text;
}

std::string where(const Study& study, const Row& row) {
  const PairStep& pair = *row.pair;
  std::string text = row.last_step == pair.step
                         ? fmt::format("step {}", pair.step)
                         : fmt::format("steps {} to {}", pair.step, row.last_step);
  if (pair.status == StepStatus::contact)
    text += fmt::format(R"(<br><span class="note">t {:.9g} to {:.9g}</span>)", pair.time.lower,
                        pair.time.upper);
  if (pair.status == StepStatus::undecided)
    text += fmt::format(R"(<br><span class="note">{}</span>)", escape(pair.reason));
  return fmt::format(
      "<td class=\"n\">{:.6g}</td><td>{}</td>",
      path_position(study, pair.step, pair.contact ? pair.time.upper : pair.time.lower), text);
}

const char* words(StepStatus status) {
  switch (status) {
    case StepStatus::contact:
      return "contact";
    case StepStatus::initially_touching:
      return "touching from the start of the step";
    case StepStatus::undecided:
      return "not decided";
    default:
      return "";
  }
}

std::string table_row(const StudyView& view, const Row& row, std::size_t number) {
  const PairStep& pair = *row.pair;
  const Object &a = view.parts[pair.part_a], &b = view.parts[pair.part_b];
  const Contact c = pair.contact.value_or(Contact{});
  const std::string geometry =
      pair.contact ? fmt::format("<td>{}</td><td>{}</td><td>{}</td><td>{}</td>",
                                 side(view.study, a, pair.part_a, c.face_a, c.feature_a),
                                 side(view.study, b, pair.part_b, c.face_b, c.feature_b),
                                 point(c.point_a), point(c.normal))
                   : fmt::format("<td>{}</td><td>{}</td><td></td><td></td>",
                                 escape(view.study.parts[pair.part_a].name),
                                 escape(view.study.parts[pair.part_b].name));
  return fmt::format(
      "<tr><td class=\"n\">{}</td><td><span class=\"status\" style=\"color:{}\">{}</span></td>"
      "{}{}</tr>\n",
      number, status_colour(pair.status), words(pair.status), where(view.study, row), geometry);
}

std::string picture_figure(const StudyView& view, const PairStep& pair, std::size_t number) {
  const Figure figure = contact_picture(view, pair);
  return fmt::format(
      "<figure>{}<figcaption><b>Contact {}</b>, s = {:.6g}: {}. {}</figcaption></figure>\n",
      figure.svg, number, path_position(view.study, pair.step, pair.time.upper),
      escape(describe_contact(view, pair)),
      figure.section ? "Section through the point of contact." : "");
}

}  // namespace

std::string contacts_section(const StudyView& view) {
  const std::vector<Row> rows = rows_of(view.result);
  if (rows.empty()) return "";
  std::string out =
      "<h2>Contacts</h2>\n<div class=\"scroll\"><table><thead><tr><th class=\"n\">#</th>"
      "<th>status</th><th class=\"n\">s</th><th>where</th><th>part a</th><th>part b</th>"
      "<th>point on a</th><th>normal, a to b</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i)
    out += table_row(view, rows[i], i + 1);
  out += "</tbody></table></div>\n";
  if (rows.size() > kMostRows)
    out += fmt::format("<p class=\"note\">{} more rows are in steps.csv.</p>\n",
                       rows.size() - kMostRows);
  out +=
      "<p class=\"note\">Faces and vertices are numbered from 0 in the order of their files; "
      "points are in world coordinates. In each step the first contact of a pair is found; what "
      "follows it in the same step is not looked at.</p>\n";

  std::string pictures;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < rows.size() && shown < kMostPictures; ++i) {
    if (!rows[i].pair->contact) continue;
    pictures += picture_figure(view, *rows[i].pair, i + 1);
    ++shown;
  }
  if (shown > 0)
    out += fmt::format(
        "<div class=\"grid2\">\n{}</div>\n<p class=\"note\">The touching faces are marked red (a) "
        "and blue (b); the arrow is the normal from a to b{}.</p>\n",
        pictures,
        rows.size() > shown ? fmt::format("; the first {} contacts are shown", shown) : "");
  return out;
}

}  // namespace touche::study
