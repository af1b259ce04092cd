// SPDX-License-Identifier: Apache-2.0
// The page of the zoo shows what all are for, the chart between tight and cheap, each volume with
// its pictures, the table, the plane.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "evaluation/text.h"
#include "report/page.h"
#include "report/svg.h"
#include "report/words.h"
#include "touche/methods/zoo.h"
#include "touche/version.h"

namespace touche {
namespace {

using namespace report;
using evaluation::duration;

/// Holds what is said of a kind.
struct Placard {
  const char *name, *title, *text, *numbers;
};
struct Enclosure {
  const char *title, *text;
  std::vector<Placard> placards;
};

const std::vector<Enclosure>& enclosures() {
  static const std::vector<Enclosure> kAll = {
      {"Round ones",
       "All points within a radius of something simple. Turning them costs nothing, and their "
       "tests "
       "are distances.",
       {{"sphere", "Sphere",
         "The smallest there is, found exactly (Welzl). It never has to be turned.", "4"},
        {"capsule", "Capsule",
         "A sphere swept along a line (LSS): good for what is long. Its axis is a principal one.",
         "7"},
        {"rss", "Rectangle-swept sphere",
         "A sphere swept over a rectangle (RSS), good for what is flat; the volume of PQP.", "15"},
        {"cylinder", "Cylinder", "The smallest about its axis; six axes are tried.", "8"},
        {"cone", "Cone, cut off",
         "Two discs on one axis and all between: of least volume about that axis. A cylinder is "
         "one, and so "
         "is a pointed cone.",
         "9"},
        {"shell", "Spherical shell",
         "What a cone cuts out of the space between two spheres. The only volume here with a "
         "hollow, and the thinnest one around a curved piece of surface.",
         "9"}}},
      {"Boxes",
       "Three pairs of faces at right angles: six numbers if they keep to the axes of the body, "
       "fifteen if "
       "they may turn.",
       {{"aabb", "Box along the axes",
         "Six comparisons to fit; how tight it is depends on how the body "
         "happens to lie.",
         "6"},
        {"obb", "Oriented box",
         "By principal axes and the best rectangle across them. Two are tested on 15 axes.", "15"},
        {"mixed", "Mixed", "Sphere or box, whichever is small and cheap here.", "16"}}},
      {"Faces in directions chosen beforehand",
       "k-DOPs: a pair of parallel faces for each of k/2 directions, so that only how far they are "
       "out is "
       "kept. Two that are not turned are compared number by number.",
       {{"dop6", "6-DOP", "The box along the axes once more, as the first of its family.", "6"},
        {"dop8", "8-DOP", "The directions of a cube's four diagonals: an octahedron, cut off.",
         "8"},
        {"dop10", "10-DOP", "A box whose four upright edges are cut off.", "10"},
        {"dop12", "12-DOP",
         "The directions of a dodecahedron's faces: six that are as far from each other "
         "as six can be. k-DOPs may have any directions.",
         "12"},
        {"dop14", "14-DOP", "A box whose eight corners are cut off.", "14"},
        {"dop18", "18-DOP", "A box whose twelve edges are cut off.", "18"},
        {"dop26", "26-DOP", "A box without corners and edges.", "26"}}},
      {"Faces that fit",
       "Polytopes whose faces are chosen for this one body: the tightest, and the most expensive.",
       {{"slabs", "Slabs in general position",
         "An oriented box, then slab by slab the face of the convex hull that takes most off; "
         "seven in all.",
         "≤ 35"},
        {"zonotope", "Zonotope",
         "The sum of seven segments, of least mean width by linear programming: a box's axes and "
         "its "
         "diagonals, as long as need be.",
         "27"},
        {"hull", "Convex hull",
         "The shape of a stretched rubber skin, and the tightest convex volume. All others are "
         "measured by it.",
         "3 a corner"}}}};
  return kAll;
}

const std::vector<Enclosure>& plane_enclosures() {
  static const std::vector<Enclosure> kAll = {
      {"",
       "",
       {{"circle", "Circle", "The smallest there is.", "3"},
        {"box", "Box along the axes", "Exact, and the cheapest to fit.", "4"},
        {"oriented_box", "Oriented box",
         "The best one: a side lies on an edge of the hull (callipers).", "6"},
        {"dop4", "4-DOP", "The box along the axes, as the first of its family.", "4"},
        {"dop8", "8-DOP", "The same with its corners cut off.", "8"},
        {"zonogon", "Zonogon", "The sum of four segments: a polygon with a centre.", "≤ 10"},
        {"hull", "Convex hull", "The tightest that is convex; exact.", "2 a corner"}}}};
  return kAll;
}

const char* const kZooStyle = R"css(<style>
.grid4 { display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px; margin: 8px 0 2px; }
.cage { border-top: 1px solid var(--rule); padding: 14px 0 16px; break-inside: avoid; }
.cage h3 { margin: 0 0 2px; font-size: 16px; }
.cage h3 code { font-size: 12px; color: var(--faint); font-weight: 400; margin-left: 6px; }
.cage p { margin: 0; max-width: 66ch; }
.cage .top { display: flex; justify-content: space-between; gap: 28px; }
.cage dl { display: flex; gap: 22px; margin: 0; flex: none; text-align: right; }
.cage dt { color: var(--faint); font-size: 11.5px; white-space: nowrap; }
.cage dd { margin: 0; font-size: 17px; font-weight: 600; white-space: nowrap; }
.cage figcaption b { color: var(--ink); font-weight: 600; }
td:first-child { white-space: nowrap; }
.bar { position: relative; }
.bar::before { content: ""; position: absolute; right: 12px; top: 3px; bottom: 3px;
  width: calc(var(--v) * .72); background: var(--curve1); opacity: .22; border-radius: 2px; }
.plot .name { font-size: 12.5px; fill: var(--ink); }
.plot .axis { font-size: 12.5px; fill: var(--faint); }
@media (max-width: 700px) { .grid4 { grid-template-columns: 1fr 1fr; } .cage .top { display: block; }
  .cage dl { text-align: left; margin-top: 6px; } }
</style>
)css";

double mean_over(const std::vector<ZooFit>& fits, double ZooFit::*what) {
  double sum = 0;
  for (const ZooFit& f : fits) sum += f.*what;
  return fits.empty() ? 0 : sum / static_cast<double>(fits.size());
}

const ZooVolume* volume_named(std::span<const ZooVolume> volumes, std::string_view name) {
  const auto found = std::ranges::find(volumes, name, &ZooVolume::name);
  return found == volumes.end() ? nullptr : &*found;
}

std::string times_text(double ratio) {
  if (!(ratio > 0)) return "–";
  if (ratio < 0.995) return fmt::format("{:.2f}×", ratio);
  return ratio < 9.995 ? fmt::format("{:.2f}×", ratio) : fmt::format("{:.0f}×", ratio);
}

std::string nanoseconds_text(double ns) {
  return ns < 1000 ? fmt::format("{} ns", digits(ns)) : duration(1e-3 * ns);
}

// ---- the chart ---------------------------------------------------------------------------------

constexpr double kChartWidth = 860, kChartHeight = 438, kChartLeft = 60, kChartRight = 24,
                 kChartTop = 14, kChartBottom = 362;

/// Names beside dots, moved up or down until none hides another.
class Labels {
 public:
  /// Nothing is written over this.
  void keep_off(double x, double y) { taken_.push_back({x - 7, y, 14}); }

  double place(double x, double y, std::size_t length) {
    const double width = 7.2 * static_cast<double>(length);
    for (int step = 0; step < 24; ++step) {
      const int lines = (step + 1) / 2;  // above and below by turns
      const double at = y + (step % 2 == 0 ? 7.0 : -7.0) * lines;
      const bool free = std::ranges::none_of(taken_, [&](const Taken& t) {
        return x < t.x + t.width && t.x < x + width && std::abs(at - t.y) < 14;
      });
      if (!free) continue;
      taken_.push_back({x, at, width});
      return at;
    }
    return y;
  }

 private:
  struct Taken {
    double x, y, width;
  };
  std::vector<Taken> taken_;
};

std::string chart(std::span<const ZooVolume> volumes) {
  double least = kInfinity, most = 0, worst = 0;
  for (const ZooVolume& v : volumes) {
    least = std::min(least, v.nanoseconds);
    most = std::max(most, v.nanoseconds);
    worst = std::max(worst, mean_over(v.fits, &ZooFit::false_alarms));
  }
  const double low = std::floor(std::log10(std::max(least, 0.1))),
               high = std::max(low + 1, std::ceil(std::log10(std::max(most, 1.0))));
  const double top = std::max(0.05, 1.1 * worst);
  const auto x_of = [&](double ns) {
    return kChartLeft + (std::log10(std::max(ns, 0.1)) - low) / (high - low) *
                            (kChartWidth - kChartLeft - kChartRight - 80);
  };
  const auto y_of = [&](double share) {
    return kChartBottom - share / top * (kChartBottom - kChartTop);
  };
  std::string out = begin_plot(kChartWidth, kChartHeight, "false alarms over the cost of a test");
  for (const double tick : ticks(100 * top, 5)) {
    add_line(out, kChartLeft, y_of(0.01 * tick), kChartWidth - kChartRight, y_of(0.01 * tick),
             colour::kRule);
    add_text(out, kChartLeft - 8, y_of(0.01 * tick) + 4, "end", fmt::format("{:g} %", tick));
  }
  for (double decade = low; decade <= high; ++decade) {
    const double ns = std::pow(10, decade);
    add_line(out, x_of(ns), kChartTop, x_of(ns), kChartBottom, colour::kRule);
    add_text(out, x_of(ns), kChartBottom + 18, "middle", nanoseconds_text(ns));
  }
  out += fmt::format(
      "<text class=\"axis\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">a test of two costs, on "
      "this machine</text>",
      0.5 * (kChartLeft + kChartWidth), kChartBottom + 40);
  std::vector<const ZooVolume*> in_order;
  for (const ZooVolume& v : volumes) in_order.push_back(&v);
  std::ranges::sort(in_order, {}, [](const ZooVolume* v) { return v->nanoseconds; });
  Labels labels;
  for (const ZooVolume& v : volumes)
    labels.keep_off(x_of(v.nanoseconds), y_of(mean_over(v.fits, &ZooFit::false_alarms)));
  for (std::size_t family = 0; family < enclosures().size(); ++family)
    for (const Placard& p : enclosures()[family].placards) {
      const ZooVolume* v = volume_named(volumes, p.name);
      if (v == nullptr) continue;
      const double x = x_of(v->nanoseconds), y = y_of(mean_over(v->fits, &ZooFit::false_alarms));
      const double at = labels.place(x + 9, y, v->name.size());
      if (std::abs(at - y) > 5)
        add_line(out, x, y, x + 8, at, colour::kFaint, R"(stroke-width=".7")");
      out += fmt::format(
          R"(<circle cx="{:.1f}" cy="{:.1f}" r="5.5" fill="{}"><title>{}</title></circle>)", x, y,
          colour::kCurves[family], escape(p.title));
      out += fmt::format("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x + 9, at + 4,
                         escape(v->name));
    }
  double x = kChartLeft;
  for (std::size_t family = 0; family < enclosures().size(); ++family) {
    out += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="5" fill="{}"/>)", x + 5,
                       kChartHeight - 6, colour::kCurves[family]);
    const std::string_view title = enclosures()[family].title;
    add_text(out, x + 15, kChartHeight - 2, "start", title);
    x += 40 + 6.6 * static_cast<double>(title.size());
  }
  return out + "</svg>";
}

// ---- the cages ---------------------------------------------------------------------------------

std::string fact(const char* what, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", what, value);
}

std::string cage(const Placard& placard, const ZooVolume& v, const std::vector<std::string>& titles,
                 bool pictures_are_svg) {
  std::string out = fmt::format(
      "<section class=\"cage\" id=\"{0}{1}\"><div "
      "class=\"top\"><div><h3>{2}<code>{1}</code></h3><p>{3}"
      "</p></div><dl>{4}{5}{6}</dl></div>\n<div class=\"grid4\">",
      pictures_are_svg ? "plane-" : "", escape(v.name), escape(placard.title), escape(placard.text),
      fact("numbers", placard.numbers), fact("a test", nanoseconds_text(v.nanoseconds)),
      fact("false alarms", percent(mean_over(v.fits, &ZooFit::false_alarms))));
  for (std::size_t i = 0; i < v.fits.size(); ++i) {
    const ZooFit& f = v.fits[i];
    const std::string about = fmt::format("{} around {}", placard.title, titles[i]);
    const std::string picture =
        pictures_are_svg
            ? f.picture
            : fmt::format("<img class=\"picture\" loading=\"lazy\" alt=\"{}\" src=\"{}\">",
                          escape(about), f.picture);
    out += fmt::format("<figure>{}<figcaption><b>{}</b> {} · {} {}</figcaption></figure>", picture,
                       times_text(f.size_ratio), pictures_are_svg ? "area" : "volume",
                       times_text(f.border_ratio), pictures_are_svg ? "perimeter" : "surface");
  }
  return out + "</div></section>\n";
}

std::string cages(const std::vector<Enclosure>& all, std::span<const ZooVolume> volumes,
                  const std::vector<std::string>& titles, bool pictures_are_svg) {
  std::string out;
  for (const Enclosure& enclosure : all) {
    if (*enclosure.title != '\0')
      out +=
          fmt::format("<h2>{}</h2>\n<p>{}</p>\n", escape(enclosure.title), escape(enclosure.text));
    for (const Placard& p : enclosure.placards)
      if (const ZooVolume* v = volume_named(volumes, p.name))
        out += cage(p, *v, titles, pictures_are_svg);
  }
  return out;
}

std::string table(std::span<const ZooVolume> volumes, const std::vector<std::string>& titles) {
  std::string out =
      "<div class=\"scroll\"><table><tr><th>volume</th><th class=\"n\">a test</th><th "
      "class=\"n\">fitted in"
      "</th>";
  for (const std::string& title : titles)
    out += fmt::format("<th class=\"n\">{}</th>", escape(title));
  out += "<th class=\"n\">false alarms</th></tr>\n";
  std::vector<const ZooVolume*> in_order;
  for (const ZooVolume& v : volumes) in_order.push_back(&v);
  std::ranges::stable_sort(in_order, {}, [](const ZooVolume* v) { return v->nanoseconds; });
  for (const ZooVolume* v : in_order) {
    out += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>",
                       escape(v->name), nanoseconds_text(v->nanoseconds),
                       duration(1e6 * mean_over(v->fits, &ZooFit::fit_seconds)));
    for (const ZooFit& f : v->fits)
      out += fmt::format("<td class=\"n\">{}</td>", times_text(f.size_ratio));
    const double share = mean_over(v->fits, &ZooFit::false_alarms);
    out += fmt::format("<td class=\"n bar\" style=\"--v:{:.1f}%\">{}</td></tr>\n", 100 * share,
                       percent(share));
  }
  return out + "</table></div>\n";
}

}  // namespace

std::string zoo_html(const Zoo& zoo, const std::string& remark) {
  std::string out = begin_page("The zoo of bounding volumes", fmt::format("Touché {}", kVersion),
                               "The zoo of bounding volumes");
  out += kZooStyle;
  out +=
      "<p>A test whether two bodies of a million triangles touch begins with simple volumes around "
      "them: as long as two bounding volumes are apart, so are the bodies. A good volume is "
      "<b>tight</b>, so that it seldom overlaps another one whose body is apart, and <b>cheap</b> "
      "to test. No volume is both.</p>\n";
  if (!zoo.volumes.empty()) {
    out += "<h2>Tight or cheap</h2>\n<figure>" + chart(zoo.volumes) +
           "<figcaption>False alarms: the share of random poses with disjoint convex hulls at "
           "which the volumes around them overlap, in the mean over all bodies below. To the lower "
           "left is better; the best choice lies on the lower left border, and its position there "
           "depends on the cost of a false alarm."
           "</figcaption></figure>\n";
    out += cages(enclosures(), zoo.volumes, zoo.meshes, false);
    out +=
        "<h2>All of them</h2>\n<p>The cheapest test first; volumes as multiples of the convex "
        "hull's.</p>\n" +
        table(zoo.volumes, zoo.meshes);
  }
  if (!zoo.plane.empty()) {
    out +=
        "<h2>In the plane</h2>\n<p>The same in two dimensions. Areas and perimeters as multiples "
        "of the convex hull's; a test compares two volumes that have been moved to their poses "
        "already.</p>\n";
    out += cages(plane_enclosures(), zoo.plane, zoo.outlines, true);
    out += table(zoo.plane, zoo.outlines);
  }
  return out +
         end_page(fmt::format("{} · took {:.0f} s · made by <code>touche zoo --out zoo.html</code>",
                              escape(remark), zoo.seconds));
}

}  // namespace touche
