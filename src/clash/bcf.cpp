// SPDX-License-Identifier: Apache-2.0
// Writes clashes as a BCF 2.1 archive (BIM Collaboration Format, buildingSMART), which issue
// trackers and CAD programs read. Lengths in it are metres.
#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/threads.h"
#include "clash/contact_place.h"
#include "clash/describe.h"
#include "clash/earlier_parts.h"
#include "clash/units.h"
#include "io/zip_writer.h"
#include "report/drawing.h"
#include "report/image.h"
#include "report/svg.h"
#include "report/words.h"
#include "study/fingerprint.h"
#include "touche/version.h"

namespace touche {
namespace {

using report::Camera;

constexpr int kWidth = 640, kHeight = 480;
constexpr std::array<report::Rgb, 2> kColours = {{{222, 160, 84}, {142, 167, 191}}};
constexpr const char* kXml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
// The characters of a compressed GUID of IFC.
constexpr std::string_view kIfcDigits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";

// Escapes a text. Bytes that are not UTF-8 become U+FFFD, and U+FFFE and U+FFFF, which XML does not
// permit, are left out.
std::string xml_text(std::string_view text) {
  using Json = nlohmann::json;
  std::string valid = Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace))
                          .get<std::string>();
  for (const char* none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
    for (std::size_t at = valid.find(none); at != std::string::npos; at = valid.find(none, at))
      valid.erase(at, 3);
  return report::escape(valid);
}

// A GUID (RFC 9562, version 8) that follows from texts.
std::string guid_of(std::string_view kind, std::string_view a, std::string_view b) {
  std::string text;
  for (const std::string_view part : {kind, a, b}) text += fmt::format("{}:{}|", part.size(), part);
  std::uint64_t high = study::fingerprint(text.data(), text.size());
  std::uint64_t low = study::fingerprint(text.data(), text.size(), ~high);
  high = (high & ~0xf000ull) | 0x8000ull;
  low = (low & ~(3ull << 62)) | (2ull << 62);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffff,
                     high & 0xffff, low >> 48, low & 0xffff'ffff'ffff);
}

// The last step of a name, if it is a GUID as exporters of IFC write it.
std::string_view ifc_guid(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('/') + 1);
  const bool is_guid = last.size() == 22 && last[0] >= '0' && last[0] <= '3' &&
                       last.find_first_not_of(kIfcDigits) == std::string_view::npos;
  return is_guid ? last : std::string_view();
}

std::string component(std::string_view name) {
  const std::string_view guid = ifc_guid(name);
  return fmt::format(
      "<Component{}><OriginatingSystem>touche</OriginatingSystem><AuthoringToolId>{}"
      "</AuthoringToolId></Component>",
      guid.empty() ? "" : fmt::format(" IfcGuid=\"{}\"", guid), xml_text(name));
}

std::string xml_vector(const char* element, const Vec3& x) {
  return fmt::format("<{0}><X>{1}</X><Y>{2}</Y><Z>{3}</Z></{0}>", element, x.x() + 0.0, x.y() + 0.0,
                     x.z() + 0.0);
}

// A topic: a pair with the view in which it is seen.
class Topic {
 public:
  // `outside`: RenderPart::outside by object.
  Topic(const ClashResult& result, std::size_t index, const BcfOptions& options,
        const std::vector<int>& outside)
      : result_(result),
        index_(index),
        pair_(result.pairs[index]),
        options_(options),
        names_{result.parts.parts[pair_.part_a].name, result.parts.parts[pair_.part_b].name} {
    std::array<std::string, 2> sorted = names_;
    std::sort(sorted.begin(), sorted.end());
    guid_ = guid_of("topic", sorted[0], sorted[1]);
    view_guid_ = guid_of("viewpoint", sorted[0], sorted[1]);
    comment_guid_ = guid_of("comment", sorted[0], sorted[1]);
    for (const std::size_t side : {0u, 1u}) {
      const PolygonSoup& soup = object(side).soup();
      parts_.push_back({&soup, part(side).pose, kColours[side], outside[part(side).object], false});
    }
    aim();
  }

  const std::string& guid() const { return guid_; }

  std::string markup(std::size_t rank) const {
    const std::string time = options_.date + "T00:00:00Z";
    const ClashNote note = pair_.note.value_or(ClashNote{});
    std::string status(name(note.accepted ? ClashStatus::approved : note.status));
    status[0] = static_cast<char>(status[0] - 'a' + 'A');
    std::string out = kXml;
    out += fmt::format("<Markup>\n<Topic Guid=\"{}\" TopicType=\"Clash\" TopicStatus=\"{}\">\n",
                       guid_, status);
    out += fmt::format("<Title>{}: {} and {}</Title>\n<Index>{}</Index>\n",
                       clash::class_text(pair_.verdict), xml_text(names_[0]), xml_text(names_[1]),
                       rank);
    for (const ClashTestResult& test : result_.tests)
      if (std::binary_search(test.failed.begin(), test.failed.end(), index_))
        out += fmt::format("<Labels>{}</Labels>\n", xml_text(test.name));
    out += fmt::format("<CreationDate>{}</CreationDate>\n<CreationAuthor>{}</CreationAuthor>\n",
                       time, xml_text(options_.author));
    if (!note.assignee.empty())
      out += fmt::format("<AssignedTo>{}</AssignedTo>\n", xml_text(note.assignee));
    out += fmt::format("<Description>{}</Description>\n</Topic>\n", xml_text(description()));
    if (!note.text.empty())
      out += fmt::format(
          "<Comment Guid=\"{}\">\n<Date>{}</Date>\n<Author>{}</Author>\n<Comment>{}</Comment>\n"
          "<Viewpoint Guid=\"{}\"/>\n</Comment>\n",
          comment_guid_, time, xml_text(options_.author), xml_text(note.text), view_guid_);
    out += fmt::format(
        "<Viewpoints Guid=\"{}\">\n<Viewpoint>viewpoint.bcfv</Viewpoint>\n"
        "<Snapshot>snapshot.png</Snapshot>\n</Viewpoints>\n</Markup>\n",
        view_guid_);
    return out;
  }

  std::string viewpoint() const {
    const double metres = clash::length_unit(result_.parts.unit).metres;
    const Vec3 to_viewer = camera_.axes.row(2), up = camera_.axes.row(1);
    std::string out = kXml;
    out += fmt::format(
        "<VisualizationInfo Guid=\"{}\">\n<Components>\n<Selection>\n{}\n{}\n"
        "</Selection>\n<Visibility DefaultVisibility=\"true\"/>\n<Coloring>\n",
        view_guid_, component(names_[0]), component(names_[1]));
    for (const std::size_t side : {0u, 1u})
      out += fmt::format("<Color Color=\"FF{:02X}{:02X}{:02X}\">{}</Color>\n", kColours[side][0],
                         kColours[side][1], kColours[side][2], component(names_[side]));
    out += fmt::format("</Coloring>\n</Components>\n<OrthogonalCamera>\n{}\n{}\n{}\n",
                       xml_vector("CameraViewPoint", metres * (camera_.target + far_ * to_viewer)),
                       xml_vector("CameraDirection", -to_viewer), xml_vector("CameraUpVector", up));
    out += fmt::format("<ViewToWorldScale>{}</ViewToWorldScale>\n</OrthogonalCamera>\n",
                       metres * kHeight / camera_.scale);
    if (std::isfinite(camera_.cut))
      out +=
          fmt::format("<ClippingPlanes>\n<ClippingPlane>{}{}</ClippingPlane>\n</ClippingPlanes>\n",
                      xml_vector("Location", metres * (camera_.target + camera_.cut * to_viewer)),
                      xml_vector("Direction", to_viewer));
    return out + "</VisualizationInfo>\n";
  }

  std::string snapshot() const {
    const auto placed = [&](std::size_t side) {
      return clash::PlacedObject{object(side), part(side).pose};
    };
    report::Marks marks{.colour = clash::kMark};
    if (pair_.verdict != ClashPairVerdict::near && pair_.verdict != ClashPairVerdict::contains) {
      clash::ContactPlace met = clash::where_they_meet(placed(0), placed(1));
      marks.lines = std::move(met.lines);
      marks.regions = std::move(met.regions);
    }
    const std::vector<std::uint8_t> png = report::png(report::render(camera_, parts_, marks));
    return std::string(png.begin(), png.end());
  }

 private:
  const ClashPart& part(std::size_t side) const {
    return result_.parts.parts[side == 0 ? pair_.part_a : pair_.part_b];
  }
  const Object& object(std::size_t side) const { return result_.parts.objects[part(side).object]; }

  std::string description() const {
    std::string text = clash::class_meaning(pair_.verdict, result_);
    if (const std::string measure = clash::measure_text(result_.parts, pair_); !measure.empty())
      text = measure + " (" + text + ")";
    text += ", at " + clash::Places(result_.parts).text(pair_);
    if (pair_.duplicate) text += "; the parts are identical copies in one position";
    if (pair_.move) text += "; " + clash::move_text(result_.parts, *pair_.move);
    return text;
  }

  // Frames the overlap with enough around it to recognise the parts.
  void aim() {
    const double size_a = object(0).bounds().diagonal(), size_b = object(1).bounds().diagonal();
    const double size = std::min(size_a, size_b);
    Vec3 target = clash::clash_point(pair_);
    double half = std::clamp(2.5 * pair_.thickness.diameter.lower, 0.35 * size, 0.8 * size);
    if (pair_.verdict == ClashPairVerdict::contains) {
      const std::size_t inner = pair_.containment == Containment::a_in_b ? 0 : 1;
      target = part(inner).pose * object(inner).bounds().centre();
      half = 0.8 * object(inner).bounds().diagonal();
    }
    if (!(half > 0)) half = 1;
    camera_ = report::close_camera(
        parts_, target, pair_.contact ? pair_.contact->normal : Vec3(Vec3::UnitX()), half);
    camera_.width = kWidth;
    camera_.height = kHeight;
    camera_.scale = 0.5 * kHeight / half;
    for (const std::size_t p : {pair_.part_a, pair_.part_b}) {
      const Aabb box = clash::world_box(result_.parts, p);
      far_ = std::max(far_, (box.centre() - target).norm() + box.diagonal());
    }
  }

  const ClashResult& result_;
  const std::size_t index_;
  const ClashPair& pair_;
  const BcfOptions& options_;
  const std::array<std::string, 2> names_;
  std::string guid_, view_guid_, comment_guid_;
  std::vector<report::RenderPart> parts_;
  Camera camera_;
  double far_ = 0;  // length from the target to the viewer
};

void check_date(const std::string& date) {
  constexpr std::string_view kShape = "dddd-dd-dd";
  const bool fits = date.size() == kShape.size() &&
                    std::equal(date.begin(), date.end(), kShape.begin(), [](char c, char shape) {
                      return shape == 'd' ? c >= '0' && c <= '9' : c == shape;
                    });
  if (!fits) throw InvalidInput("BCF: \"" + date + "\" is no date, expected YYYY-MM-DD");
}

}  // namespace

std::string clash_bcf(const ClashResult& result, const BcfOptions& options) {
  check_date(options.date);
  if (has_drawings(result.parts))
    throw InvalidInput("BCF: it is for parts in space, and these are drawings of the plane");
  const std::vector<std::size_t> pairs = clash::findings(result, true);
  struct Files {
    std::string folder, markup, viewpoint, snapshot;
  };
  std::vector<Files> topics(pairs.size());
  std::vector<char> shown(result.parts.objects.size());
  for (const std::size_t i : pairs)
    for (const std::size_t part : {result.pairs[i].part_a, result.pairs[i].part_b})
      shown[result.parts.parts[part].object] = 1;
  std::vector<int> outside(shown.size());
  base::with_threads(result.options.threads, [&] {
    tbb::parallel_for(std::size_t{0}, shown.size(), [&](std::size_t o) {
      if (shown[o]) outside[o] = report::outside_sign(examine(result.parts.objects[o].soup()));
    });
    tbb::parallel_for(std::size_t{0}, pairs.size(), [&](std::size_t i) {
      const Topic topic(result, pairs[i], options, outside);
      topics[i] = {topic.guid(), topic.markup(i), topic.viewpoint(), topic.snapshot()};
    });
  });
  io::ZipWriter zip;
  zip.add("bcf.version", std::string(kXml) +
                             "<Version VersionId=\"2.1\"><DetailedVersion>2.1</DetailedVersion>"
                             "</Version>\n");
  zip.add(
      "project.bcfp",
      std::string(kXml) +
          fmt::format("<ProjectExtension>\n<Project ProjectId=\"{}\"><Name>{}</Name></Project>\n"
                      "<ExtensionSchema></ExtensionSchema>\n</ProjectExtension>\n",
                      guid_of("project", result.parts.source, ""), xml_text(result.parts.source)));
  for (Files& topic : topics) {
    zip.add(topic.folder + "/markup.bcf", std::move(topic.markup));
    zip.add(topic.folder + "/viewpoint.bcfv", std::move(topic.viewpoint));
    zip.add(topic.folder + "/snapshot.png", std::move(topic.snapshot));
  }
  return zip.finish();
}

}  // namespace touche
