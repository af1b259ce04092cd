// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <iterator>
#include <map>

#include "plane/flat_outline.h"
#include "report/plane_words.h"
#include "report/svg.h"
#include "study/describe.h"
#include "study/picture.h"
#include "study/plot.h"
#include "study/report_parts.h"
#include "study/shape_words.h"
#include "study/travel.h"

namespace touche::study {
namespace {

using namespace report;

constexpr std::size_t kMostRows = 100, kMostPictures = 6;

// A row of the contact table. A pair that stays in contact over consecutive steps is one row.
struct Row {
  const PairStep* pair;
  std::size_t last_step;
};

std::vector<Row> rows_of(const StudyResult& result) {
  std::vector<Row> rows;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> open;  // index of a pair's current row
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

// Writes a contact's points in world coordinates and in the coordinates of both parts' files.
std::string points(const StudyResult& result, const PairStep& pair, const Contact& contact) {
  const double s = path_position(result.study, pair.step, pair.time.upper);
  const bool flat = of_drawings(result);
  const auto own = [&](std::size_t part, const Vec3& point) {
    return fmt::format("<br><span class=\"note\">{}: {}</span>",
                       escape(result.study.parts[part].name),
                       point_text(in_file(result.study, part, s, point), "", flat));
  };
  return escape(point_text(contact.point_a, result.study.unit, flat)) +
         own(pair.part_a, contact.point_a) + own(pair.part_b, contact.point_b);
}

std::string side(const StudyResult& result, std::size_t part, Index face, const Feature& feature) {
  const Object& object = result.parts[part];
  std::string text =
      fmt::format(R"(<span class="chip" style="background:{}"></span>{})",
                  part_colour(result.study, part), escape(result.study.parts[part].name));
  if (result.study.parts[part].shape)
    return text + R"(<br><span class="note">)" + escape(shape_text(result.study.parts[part])) +
           "</span>";
  text += fmt::format("<br>{} {}", face_word(result), face);
  if (const std::string place = describe_place(result, part, feature); !place.empty())
    text += ", " + escape(place);
  const plane::Outline* outline = plane::outline_of(object);
  const std::string_view group = outline != nullptr ? outline->name(outline->chain_of_edge(face))
                                                    : object.soup().face_group(face);
  if (!group.empty()) text += fmt::format(R"(<br><span class="note">{}</span>)", escape(group));
  return text;
}

std::string where(const StudyResult& result, const Row& row) {
  const PairStep& pair = *row.pair;
  const double s =
      path_position(result.study, pair.step, pair.contact ? pair.time.upper : pair.time.lower);
  const std::size_t mover = moving_part(result.study, pair.part_a, pair.part_b, s);
  std::string text = percent(s);
  if (const std::string way = travel_text(result.study, travel_of_part(result, mover, s));
      !way.empty())
    text += "<br>" + escape(way);
  text += fmt::format("<br><span class=\"note\">s = {:.6g}, {}</span>", s,
                      row.last_step == pair.step
                          ? fmt::format("step {}", pair.step)
                          : fmt::format("steps {} to {}", pair.step, row.last_step));
  if (pair.status == StepStatus::undecided)
    text += fmt::format(R"(<br><span class="note">{}</span>)", escape(pair.reason));
  return "<td>" + text + "</td>";
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

std::string table_row(const StudyResult& result, const Row& row, std::size_t number) {
  const PairStep& pair = *row.pair;
  const Contact c = pair.contact.value_or(Contact{});
  const std::string geometry =
      pair.contact
          ? fmt::format("<td>{}</td><td>{}</td><td>{}</td><td>{}</td>",
                        side(result, pair.part_a, c.face_a, c.feature_a),
                        side(result, pair.part_b, c.face_b, c.feature_b), points(result, pair, c),
                        direction_text(c.normal, of_drawings(result)))
          : fmt::format("<td>{}</td><td>{}</td><td></td><td></td>",
                        escape(result.study.parts[pair.part_a].name),
                        escape(result.study.parts[pair.part_b].name));
  return fmt::format(
      "<tr><td class=\"n\">{}</td><td><span class=\"status\" style=\"color:{}\">{}</span></td>"
      "{}{}</tr>\n",
      number, status_colour(pair.status), words(pair.status), where(result, row), geometry);
}

std::string picture_figure(const StudyResult& result, const PairStep& pair, std::size_t number) {
  const Figure figure = contact_picture(
      result, {pair.part_a, pair.part_b, path_position(result.study, pair.step, pair.time.upper),
               *pair.contact});
  return fmt::format("<figure>{}<figcaption><b>Contact {}</b>, {}: {}. {}</figcaption></figure>\n",
                     figure.svg, number,
                     place_text(path_position(result.study, pair.step, pair.time.upper)),
                     escape(describe_contact(result, pair)),
                     figure.section ? "Section through the point of contact." : "");
}

}  // namespace

std::string contacts_section(const StudyResult& result) {
  const std::vector<Row> rows = rows_of(result);
  if (rows.empty()) return "";
  std::string out =
      "<h2>Contacts</h2>\n<div class=\"scroll\"><table><thead><tr><th class=\"n\">#</th>"
      "<th>status</th><th>after</th><th>part a</th><th>part b</th>"
      "<th>point</th><th>normal, a to b</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i)
    out += table_row(result, rows[i], i + 1);
  out += "</tbody></table></div>\n";
  if (rows.size() > kMostRows)
    out += fmt::format("<p class=\"note\">{} more {} in steps.csv.</p>\n", rows.size() - kMostRows,
                       rows.size() == kMostRows + 1 ? "row is" : "rows are");
  const bool flat = of_drawings(result);
  out += fmt::format(
      "<p class=\"note\">The position on the path, and what the moving part has travelled by then. "
      "Points are in world coordinates, and below in the coordinates of the file {}of each part. "
      "{} and vertices are numbered from 0 in the order of their files. In each step the first "
      "contact of a pair is found; later contacts in the same step are not searched for.</p>\n",
      has_shapes(result.study) ? "or the shape " : "", flat ? "Edges" : "Faces");

  std::string pictures;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < rows.size() && shown < kMostPictures; ++i) {
    if (!rows[i].pair->contact) continue;
    pictures += picture_figure(result, *rows[i].pair, i + 1);
    ++shown;
  }
  if (shown > 0)
    out += fmt::format(
        "<div class=\"grid2\">\n{}</div>\n<p class=\"note\">The touching {} are marked red (a) "
        "and blue (b); the arrow is the normal from a to b{}.</p>\n",
        pictures, flat ? "edges" : "faces",
        rows.size() > shown ? fmt::format("; the first {} contacts are shown", shown) : "");
  return out;
}

}  // namespace touche::study
