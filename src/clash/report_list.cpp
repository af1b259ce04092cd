// SPDX-License-Identifier: Apache-2.0
// The list of all reported pairs, with filters. It is complete without scripts, which sort it and
// lead into the viewer.
#include <fmt/core.h>

#include <cmath>
#include <map>

#include "clash/describe.h"
#include "clash/report_parts.h"
#include "report/svg.h"
#include "report/words.h"

namespace touche::clash {
namespace {

using namespace report;

constexpr std::size_t kMostRows = 5000;

const char* const kScript = R"js(<script>
(function () {
  var table = document.getElementById('pairs'), body = table.tBodies[0];
  var rows = Array.prototype.slice.call(body.rows);
  var text = document.getElementById('find'), shown = document.getElementById('shown');
  var boxes = Array.prototype.slice.call(document.querySelectorAll('.filters input[type=checkbox]'));
  var groups = null;
  function update() {
    var words = text.value.toLowerCase().split(/\s+/).filter(Boolean), count = 0, off = {};
    boxes.forEach(function (b) { if (!b.checked) off[b.value] = true; });
    rows.forEach(function (r) {
      var d = r.dataset, name = r.cells[1].textContent.toLowerCase();
      var ok = !off[d.class] && !(off.accepted && d.accepted) && !(d.change && off[d.change]) &&
        words.every(function (w) { return name.indexOf(w) >= 0; }) &&
        (!groups || (d.a == groups[0] && d.b == groups[1]));
      r.hidden = !ok;
      if (ok) count++;
    });
    shown.textContent = count + ' of ' + rows.length + ' shown';
    document.getElementById('all').hidden = !groups;
  }
  text.addEventListener('input', update);
  boxes.forEach(function (b) { b.addEventListener('change', update); });
  function pick(cell) {
    groups = [cell.dataset.a, cell.dataset.b];
    update();
    document.getElementById('list').scrollIntoView();
  }
  document.querySelectorAll('.matrix .hit').forEach(function (c) {
    c.addEventListener('click', function () { pick(c); });
    c.addEventListener('keydown', function (e) { if (e.key === 'Enter') pick(c); });
  });
  document.getElementById('all').addEventListener('click', function () { groups = null; update(); });

  // The rows come worst first: equal keys keep that order.
  var keys = {
    worst: function (r) { return [+r.dataset.rank]; },
    name: function (r) { return [r.cells[1].textContent.toLowerCase()]; },
    much: function (r) { return [-r.dataset.much, -r.dataset.most]; },
    x: function (r) { return r.dataset.x === undefined ? [Infinity] : [+r.dataset.x, +r.dataset.y, +r.dataset.z]; }
  };
  function sort(head, name) {
    var down = head.getAttribute('aria-sort') === 'ascending', turn = down ? -1 : 1;
    table.querySelectorAll('th').forEach(function (h) { h.removeAttribute('aria-sort'); });
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    var items = rows.map(function (r) { return { row: r, key: keys[name](r), rank: +r.dataset.rank }; });
    items.sort(function (p, q) {
      for (var i = 0; i < p.key.length; ++i) {
        if (p.key[i] < q.key[i]) return -turn;
        if (p.key[i] > q.key[i]) return turn;
      }
      return p.rank - q.rank;
    });
    items.forEach(function (item) { body.appendChild(item.row); });
  }
  table.querySelectorAll('th button').forEach(function (b) {
    b.disabled = false;
    b.addEventListener('click', function () { sort(b.parentNode, b.dataset.sort); });
  });

  // The viewer decides itself whether this browser can show it.
  var viewer = document.querySelector('section.viewer');
  if (viewer && !viewer.hidden) {
    table.classList.add('with-viewer');
    table.querySelectorAll('button.look').forEach(function (b) {
      b.hidden = false;
      b.addEventListener('click', function () {
        viewer.dispatchEvent(new CustomEvent('show-clash', { detail: +b.closest('tr').dataset.rank }));
        viewer.scrollIntoView();
      });
    });
  }
  // A click beside the links of a row leads to its picture, else into the viewer.
  body.addEventListener('click', function (e) {
    if (e.target.closest('a, button') || String(getSelection())) return;
    var row = e.target.closest('tr'), way = row && row.querySelector('td.see a, td.see button:not([hidden])');
    if (way) way.click();
  });
  document.querySelector('.filters').hidden = false;
  update();
})();
</script>
)js";

std::string box(std::string_view value, std::string_view label, const char* colour = nullptr) {
  const std::string chip =
      colour == nullptr
          ? ""
          : fmt::format("<span class=\"chip\" style=\"background:{}\"></span>", colour);
  return fmt::format("<label><input type=\"checkbox\" value=\"{}\" checked> {}{}</label>\n", value,
                     chip, escape(label));
}

std::string filters(const ClashResult& result) {
  std::string out =
      "<div class=\"filters\" hidden>\n<input id=\"find\" type=\"search\" placeholder=\"Find "
      "names\" "
      "aria-label=\"Find names\">\n";
  for (const ClashPairVerdict c :
       {ClashPairVerdict::clash, ClashPairVerdict::contains, ClashPairVerdict::undecided,
        ClashPairVerdict::open, ClashPairVerdict::within_accuracy, ClashPairVerdict::touching,
        ClashPairVerdict::near})
    if (result.count(c) > 0) out += box(name(c), class_text(c), class_colour(c));
  std::size_t accepted = 0;
  for (const std::size_t count : result.accepted) accepted += count;
  if (accepted > 0) out += box("accepted", "Accepted");
  if (result.comparison)
    for (const ClashChange c :
         {ClashChange::fresh, ClashChange::changed, ClashChange::solved, ClashChange::unchanged})
      out += box(name(c), capitalised(std::string(name(c))));
  return out +
         "<button id=\"all\" type=\"button\" hidden>All groups</button>\n"
         "<span id=\"shown\" class=\"note\"></span>\n</div>\n";
}

std::string part_text(const ClashResult& result, std::size_t part) {
  const std::string_view name = result.parts.parts[part].name;
  const std::size_t slash = name.rfind('/');
  if (slash == std::string_view::npos) return escape(name);
  return fmt::format("<span class=\"note\">{}/</span>{}", escape(name.substr(0, slash)),
                     escape(name.substr(slash + 1)));
}

struct Row {
  std::size_t pair;  // index into ClashResult::pairs
  std::size_t rank;  // in the order of worst_first, as in the viewer's list
  std::string change;
};

// What the list is sorted by.
std::string keys_of(const ClashPair& pair, std::size_t rank, bool has_place) {
  const Bracket& thickness = pair.thickness.diameter;
  const auto finite = [](double x) { return std::isfinite(x) ? x : 0; };
  const double apart = pair.verdict == ClashPairVerdict::near ? finite(pair.distance.upper) : 0;
  std::string out = fmt::format(R"( data-rank="{}" data-much="{:.9g}" data-most="{:.9g}")", rank,
                                thickness.lower - apart, finite(thickness.upper));
  if (!has_place) return out;
  const Vec3 at = clash_point(pair);
  return out +
         fmt::format(R"( data-x="{:.9g}" data-y="{:.9g}" data-z="{:.9g}")", at.x(), at.y(), at.z());
}

// Links to a picture and a view of a pair. The viewer's button is shown by the script where there
// is a viewer.
std::string ways(const Pictures& pictures, const Row& row) {
  std::string out;
  if (const auto figure = pictures.figure_of(row.pair))
    out = fmt::format(
        "<a href=\"#{}\"{}>{}</a>", figure_id(figure->number),
        figure->alike ? " title=\"The picture shows a pair that is like this one\"" : "",
        figure->alike ? "Alike" : "Picture");
  return out + "<button type=\"button\" class=\"look\" title=\"View in 3D\" hidden>3D</button>";
}

class Rows {
 public:
  Rows(const ClashResult& result, const Pictures& pictures)
      : result_(result), pictures_(pictures), places_(result.parts), groups_(result.parts) {}

  std::string text(const Row& row) const {
    const ClashPair& pair = result_.pairs[row.pair];
    const auto [a, b] = std::minmax({groups_.of(pair.part_a), groups_.of(pair.part_b)});
    const bool known = pair.contact || pair.thickness.diameter.lower > 0;
    return fmt::format(
        "<tr id=\"row-{}\" data-class=\"{}\" data-a=\"{}\" data-b=\"{}\"{}{}{}{}><td "
        "class=\"status\"><span class=\"chip\" style=\"background:{}\"></span>{}{}{}</td><td "
        "class=\"names\">{}<br>{}</td><td>{}</td><td class=\"where\">{}</td><td "
        "class=\"see\">{}</td></tr>\n",
        row.pair, name(pair.verdict), a, b, pair.accepted ? " data-accepted=\"1\"" : "",
        pair.duplicate ? " data-duplicate=\"1\"" : "",
        row.change.empty() ? "" : fmt::format(" data-change=\"{}\"", row.change),
        keys_of(pair, row.rank, known), class_colour(pair.verdict), class_text(pair.verdict),
        row.change.empty() || row.change == "unchanged"
            ? ""
            : fmt::format("<br><span class=\"note\">{}</span>", row.change),
        pair.duplicate ? "<br><span class=\"note\">identical copies</span>" : "",
        part_text(result_, pair.part_a), part_text(result_, pair.part_b), measure(pair),
        known ? escape(places_.text(pair)) : "", ways(pictures_, row));
  }

 private:
  std::string measure(const ClashPair& pair) const {
    std::string notes = measure_text(result_.parts, pair);
    if (!pair.closed) notes += notes.empty() ? "not closed" : "; not closed";
    std::string text = escape(notes);
    if (pair.accepted)
      text +=
          fmt::format("{}<i>accepted: {}</i>", text.empty() ? "" : "; ", escape(*pair.accepted));
    return text;
  }

  const ClashResult& result_;
  const Pictures& pictures_;
  const Places places_;
  const Groups groups_;
};

// Without scripts, the buttons are headings and nothing else.
std::string head(std::string_view text, std::string_view key, std::string_view more = "") {
  return fmt::format(
      "<th{}><button type=\"button\" data-sort=\"{}\" title=\"Sort\" disabled>{}</button></th>",
      more, key, text);
}

}  // namespace

std::string list_section(const ClashResult& result, const Pictures& pictures) {
  const std::vector<std::size_t> order = worst_first(result);
  if (order.empty()) return "";
  const Rows rows(result, pictures);
  std::map<std::size_t, std::string> changes;
  if (result.comparison)
    for (const ClashDifference& d : result.comparison->pairs)
      if (d.pair) changes[*d.pair] = std::string(name(d.change));
  std::string out = "<h2 id=\"list\">All pairs that are not free</h2>\n" + filters(result) +
                    "<div class=\"scroll\"><table id=\"pairs\"><thead><tr>" +
                    head("class", "worst", " aria-sort=\"ascending\"") + head("parts", "name") +
                    head("how much", "much") + head("where", "x", " class=\"where\"") +
                    "<th></th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < std::min(order.size(), kMostRows); ++i)
    out += rows.text({order[i], i, changes[order[i]]});
  out += "</tbody></table></div>\n";
  if (order.size() > kMostRows)
    out += fmt::format(
        "<p class=\"note\">The {} gravest; all {} are in pairs.csv and "
        "result.json.</p>\n",
        number_text(kMostRows), number_text(order.size()));
  return out + kScript;
}

}  // namespace touche::clash
