// SPDX-License-Identifier: Apache-2.0
// Tests the BCF archive against what the schemas of BCF 2.1 require.
#include <gtest/gtest.h>

#include <algorithm>
#include <pugixml.hpp>
#include <regex>
#include <set>

#include "clash_scenes.h"
#include "io/allowance.h"
#include "io/zip_archive.h"

namespace touche::clash_bcf_test {
namespace {

using test::PartsBuilder;
using test::shifted;

constexpr const char* kIfcGuid = "2O2Fr$t4X7Zf8NOew3FLOH";

ClashResult clashes() {
  PartsBuilder builder;
  const std::size_t block = builder.object(scenes::box({0, 0, 0}, {1, 1, 1}, 2));
  builder.part("house/floor", scenes::box({0, 0, -2}, {20, 20, 0}, 1));
  builder.part("house/\"sunk\" <b> & more", block, shifted(4, 1, -0.5));
  builder.part(std::string("house/") + kIfcGuid, block, shifted(10, 1, -1.5));
  builder.part("house/above", block, shifted(7, 1, 5));
  return find_clashes(builder.take());
}

// Archives can only be read by the names of their entries.
struct Archive {
  explicit Archive(std::string content) : bytes(std::move(content)) {}
  std::string read(const std::string& name) const {
    io::Allowance allowance(bytes.size(), "test.bcfzip");
    return io::ZipArchive(bytes, "test.bcfzip").read(name, allowance);
  }
  // The folders of topics, from the names in the archive.
  std::vector<std::string> topics() const {
    static const std::regex kMarkup("([0-9a-f-]{36})/markup\\.bcf");
    std::set<std::string> found;
    for (std::sregex_iterator i(bytes.begin(), bytes.end(), kMarkup), end; i != end; ++i)
      found.insert((*i)[1]);
    return {found.begin(), found.end()};
  }
  const std::string bytes;
};

pugi::xml_document parsed(const std::string& text) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(text.c_str())) << text;
  return document;
}

std::vector<std::string> children(const pugi::xml_node& node) {
  std::vector<std::string> names;
  for (const pugi::xml_node& child : node.children()) names.emplace_back(child.name());
  return names;
}

// Whether the children are in the order of the schema, with all that are required.
void expect_sequence(const pugi::xml_node& node, const std::vector<std::string>& order,
                     const std::vector<std::string>& required) {
  std::size_t at = 0;
  const std::vector<std::string> names = children(node);
  for (const std::string& name : names) {
    const auto found =
        std::find(order.begin() + static_cast<std::ptrdiff_t>(at), order.end(), name);
    ASSERT_NE(found, order.end()) << name << " in " << node.name();
    at = static_cast<std::size_t>(found - order.begin());
  }
  for (const std::string& name : required)
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end())
        << name << " in " << node.name();
}

bool is_guid(const std::string& text) {
  static const std::regex kGuid("[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}");
  return std::regex_match(text, kGuid);
}

Vec3 vector_of(const pugi::xml_node& node) {
  EXPECT_EQ(children(node), (std::vector<std::string>{"X", "Y", "Z"})) << node.name();
  return {node.child("X").text().as_double(), node.child("Y").text().as_double(),
          node.child("Z").text().as_double()};
}

void expect_markup(const pugi::xml_document& document, const std::string& folder) {
  const pugi::xml_node markup = document.child("Markup"), topic = markup.child("Topic");
  expect_sequence(markup, {"Header", "Topic", "Comment", "Viewpoints"}, {"Topic", "Viewpoints"});
  EXPECT_EQ(topic.attribute("Guid").value(), folder);
  EXPECT_TRUE(is_guid(folder));
  expect_sequence(
      topic,
      {"ReferenceLink", "Title", "Priority", "Index", "Labels", "CreationDate", "CreationAuthor",
       "ModifiedDate", "ModifiedAuthor", "DueDate", "AssignedTo", "Stage", "Description"},
      {"Title", "CreationDate", "CreationAuthor", "Description"});
  EXPECT_STREQ(topic.child_value("CreationDate"), "2026-11-30T00:00:00Z");
  if (const pugi::xml_node comment = markup.child("Comment")) {
    expect_sequence(comment, {"Date", "Author", "Comment", "Viewpoint"},
                    {"Date", "Author", "Comment"});
    EXPECT_TRUE(is_guid(comment.attribute("Guid").value()));
  }
  const pugi::xml_node view = markup.child("Viewpoints");
  EXPECT_TRUE(is_guid(view.attribute("Guid").value()));
  EXPECT_STREQ(view.child_value("Viewpoint"), "viewpoint.bcfv");
  EXPECT_STREQ(view.child_value("Snapshot"), "snapshot.png");
}

void expect_viewpoint(const pugi::xml_document& document, const pugi::xml_document& markup) {
  const pugi::xml_node info = document.child("VisualizationInfo");
  EXPECT_STREQ(info.attribute("Guid").value(),
               markup.child("Markup").child("Viewpoints").attribute("Guid").value());
  expect_sequence(
      info,
      {"Components", "OrthogonalCamera", "PerspectiveCamera", "Lines", "ClippingPlanes", "Bitmaps"},
      {"Components", "OrthogonalCamera"});
  const pugi::xml_node components = info.child("Components");
  expect_sequence(components, {"Selection", "Visibility", "Coloring"}, {"Selection", "Visibility"});
  EXPECT_EQ(children(components.child("Selection")),
            (std::vector<std::string>{"Component", "Component"}));
  static const std::regex kColour("[0-9A-F]{6}([0-9A-F]{2})?"), kIfc("[0-9A-Za-z_$]{22}");
  for (const pugi::xml_node& colour : components.child("Coloring").children("Color"))
    EXPECT_TRUE(std::regex_match(colour.attribute("Color").value(), kColour));
  for (const pugi::xml_node& component : components.child("Selection").children()) {
    expect_sequence(component, {"OriginatingSystem", "AuthoringToolId"}, {"AuthoringToolId"});
    const auto guid = component.attribute("IfcGuid");
    EXPECT_TRUE(!guid || std::regex_match(guid.value(), kIfc));
  }
  const pugi::xml_node camera = info.child("OrthogonalCamera");
  EXPECT_EQ(children(camera), (std::vector<std::string>{"CameraViewPoint", "CameraDirection",
                                                        "CameraUpVector", "ViewToWorldScale"}));
  const Vec3 direction = vector_of(camera.child("CameraDirection")),
             up = vector_of(camera.child("CameraUpVector"));
  EXPECT_NEAR(direction.norm(), 1, 1e-9);
  EXPECT_NEAR(up.norm(), 1, 1e-9);
  EXPECT_NEAR(direction.dot(up), 0, 1e-9);
  const double seen = camera.child("ViewToWorldScale").text().as_double();
  EXPECT_GT(seen, 1e-4);  // metres
  EXPECT_LT(seen, 0.1);
}

TEST(ClashBcf, ArchivesFollowTheSchemas) {
  ClashResult result = clashes();
  attach_notes(result, {{"house/\"sunk\" <b> & more", "house/floor", "raise it by <1> mm", false,
                         ClashStatus::active, "mk"}});
  const Archive archive(clash_bcf(result, {.date = "2026-11-30"}));
  const auto version = parsed(archive.read("bcf.version"));
  EXPECT_STREQ(version.child("Version").attribute("VersionId").value(), "2.1");
  const auto project = parsed(archive.read("project.bcfp"));
  expect_sequence(project.child("ProjectExtension"), {"Project", "ExtensionSchema"},
                  {"ExtensionSchema"});
  const std::vector<std::string> topics = archive.topics();
  ASSERT_EQ(topics.size(), 2u);
  std::size_t commented = 0, with_guid = 0;
  for (const std::string& folder : topics) {
    const auto markup = parsed(archive.read(folder + "/markup.bcf"));
    expect_markup(markup, folder);
    const auto view = parsed(archive.read(folder + "/viewpoint.bcfv"));
    expect_viewpoint(view, markup);
    EXPECT_EQ(archive.read(folder + "/snapshot.png").substr(0, 8), "\x89PNG\r\n\x1a\n");
    const pugi::xml_node topic = markup.child("Markup").child("Topic");
    if (const pugi::xml_node comment = markup.child("Markup").child("Comment")) {
      ++commented;
      EXPECT_STREQ(comment.child_value("Comment"), "raise it by <1> mm");
      EXPECT_STREQ(topic.attribute("TopicStatus").value(), "Active");
      EXPECT_STREQ(topic.child_value("AssignedTo"), "mk");
      EXPECT_STREQ(topic.child_value("Title"), "Clash: house/floor and house/\"sunk\" <b> & more");
      // The camera is directed at the overlap, in metres.
      const pugi::xml_node camera = view.child("VisualizationInfo").child("OrthogonalCamera");
      const Vec3 eye = vector_of(camera.child("CameraViewPoint")),
                 direction = vector_of(camera.child("CameraDirection"));
      const Vec3 target(0.0045, 0.0015, -0.00025);
      EXPECT_LT((target - eye).cross(direction).norm(), 1e-3);
      EXPECT_GT((target - eye).dot(direction), 0);
    } else {
      EXPECT_STREQ(topic.attribute("TopicStatus").value(), "New");
    }
    for (const pugi::xml_node& component :
         view.child("VisualizationInfo").child("Components").child("Selection").children())
      if (std::string(component.attribute("IfcGuid").value()) == kIfcGuid) ++with_guid;
  }
  EXPECT_EQ(commented, 1u);
  EXPECT_EQ(with_guid, 1u);
}

// XML takes neither bytes that are not UTF-8 nor U+FFFE.
TEST(ClashBcf, WhatXmlDoesNotPermitIsReplaced) {
  ClashResult result = clashes();
  for (ClashPart& part : result.parts.parts) part.name += "\xff\xEF\xBF\xBE\x01|";
  const Archive archive(clash_bcf(result));
  ASSERT_FALSE(archive.topics().empty());
  for (const std::string& folder : archive.topics()) {
    const std::string markup = archive.read(folder + "/markup.bcf");
    EXPECT_EQ(markup.find('\xff'), std::string::npos);
    EXPECT_EQ(markup.find("\xEF\xBF\xBE"), std::string::npos);
    EXPECT_EQ(markup.find('\x01'), std::string::npos);
    EXPECT_NE(markup.find("\xEF\xBF\xBD|"), std::string::npos);
  }
}

// A team that writes it again gets the same topics.
TEST(ClashBcf, TheSameResultGivesTheSameBytes) {
  const ClashResult result = clashes();
  const std::string bytes = clash_bcf(result);
  EXPECT_EQ(bytes, clash_bcf(result));
  ClashResult one = result;
  one.options.threads = 1;
  EXPECT_EQ(bytes, clash_bcf(one));
  EXPECT_EQ(Archive(bytes).topics(), Archive(clash_bcf(result, {.date = "2027-01-01"})).topics());
  EXPECT_THROW((void)clash_bcf(result, {.date = "yesterday"}), InvalidInput);
  EXPECT_TRUE(Archive(clash_bcf(find_clashes({}))).topics().empty());
}

}  // namespace
}  // namespace touche::clash_bcf_test
