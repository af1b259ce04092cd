// SPDX-License-Identifier: Apache-2.0
// The viewer inside a report's page: the page of `touche view` packed as text, beside what a
// session would say to it. viewer/src/report.ts puts the two together when somebody wants to look.
#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>

#include "report/image.h"
#include "report/words.h"
#include "touche/viewer.h"
#include "viewer/asset.h"
#include "viewer/report_session.h"
#include "viewer/unpack.h"

namespace touche {
namespace {

// This is packed. Its text takes a third more: a report stays below 12 MB.
constexpr std::size_t kMostReportBytes = std::size_t{8} << 20;

std::string_view report_asset(std::string_view path) {
  const auto found = std::ranges::find(viewer::assets(), path, &viewer::Asset::path);
  if (found == viewer::assets().end()) throw Error(fmt::format("the page has no {}", path));
  return found->gzip;
}

std::span<const std::uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string embedded(std::string_view name, std::span<const std::uint8_t> bytes) {
  return fmt::format(
      "<script type=\"application/octet-stream;base64\" data-file=\"{}\">{}</script>\n", name,
      report::base64(bytes));
}

std::vector<std::uint8_t> packed(const std::vector<std::byte>& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::vector<std::uint8_t> out(size);
  if (compress2(out.data(), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION) != Z_OK)
    throw Error("no memory to pack the viewer of a report");
  out.resize(size);
  return out;
}

std::string contents_of(const viewer::ReportSession& session) {
  if (session.simplified == 0)
    return fmt::format("This file contains all {} triangles and loads no other data.",
                       report::number_text(session.triangles));
  return fmt::format(
      "This file contains {} of {} triangles and loads no other data: {} {} simplified for "
      "display. The proof is about the original parts.",
      report::number_text(session.triangles), report::number_text(session.triangles_of),
      report::number_text(session.simplified),
      session.simplified == 1 ? "large mesh was" : "large meshes were");
}

std::string section_of(const viewer::ReportSession& session) {
  const std::vector<std::uint8_t> bytes = packed(session.bytes);
  if (bytes.size() > kMostReportBytes)
    return "<p class=\"note\">The 3D view needs more data than a page should contain: touche view "
           "shows it.</p>\n";
  return fmt::format(
      "<section class=\"viewer\" hidden>\n<style>{}</style>\n<h2>In 3D</h2>\n"
      "<p class=\"viewer-bar\"><button type=\"button\" data-do=\"look\">View in 3D</button>"
      "<span class=\"note\">{}</span>"
      "<button type=\"button\" data-do=\"wide\" aria-pressed=\"false\" hidden>Whole window</button>"
      "<button type=\"button\" data-do=\"close\" hidden>Close</button></p>\n"
      "<div class=\"viewer-stage\"></div>\n{}{}{}<script>{}</script>\n</section>\n",
      viewer::unpacked(report_asset("report.css")), contents_of(session),
      embedded("main.js", as_bytes(report_asset("main.js"))),
      embedded("main.css", as_bytes(report_asset("main.css"))), embedded("session", bytes),
      viewer::unpacked(report_asset("report.js")));
}

}  // namespace

std::string report_viewer(const StudyResult& result) {
  return section_of(viewer::report_session(result));
}
std::string report_viewer(const ClashResult& result) {
  return section_of(viewer::report_session(result));
}
std::string report_viewer(const SimulationResult& result) {
  return section_of(viewer::report_session(result));
}
std::string report_viewer(const HandleResult& result) {
  return section_of(viewer::report_session(result));
}

}  // namespace touche
