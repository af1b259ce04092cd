// SPDX-License-Identifier: Apache-2.0
// Messages: a written message is read back unchanged, and bytes that are no message are rejected
// with their position.
#include "viewer/protocol.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/random.h"
#include "source_folder.h"
#include "temporary_folder.h"

namespace touche::viewer::protocol_test {
namespace {

using namespace protocol;

std::size_t bad_byte(const std::vector<std::byte>& bytes) {
  try {
    (void)parse_client(bytes);
  } catch (const ProtocolError& error) {
    return error.byte();
  }
  ADD_FAILURE() << "was read";
  return 0;
}

void set(std::vector<std::byte>& bytes, std::size_t at, double value) {
  std::memcpy(bytes.data() + at, &value, sizeof(value));
}

TEST(Protocol, ADragIsReadAsItWasWritten) {
  const Drag drag{.sequence = 7,
                  .client_time = 0.25,
                  .target = Pose::from_axis_angle({1, 2, 3}, 0.5, {4, -5, 6})};
  const auto bytes = encode(drag);
  EXPECT_EQ(bytes.size(), 1U + 4 + 8 + 56);
  const auto read = std::get<Drag>(parse_client(bytes));
  EXPECT_EQ(read.sequence, 7U);
  EXPECT_EQ(read.client_time, 0.25);
  EXPECT_EQ(read.target.translation(), drag.target.translation());
  EXPECT_EQ(encode(read), bytes);
}

TEST(Protocol, RecordsAndArraysAreReadAsTheyWereWritten) {
  Scene scene;
  scene.nodes = {{.id = 3, .parent = kNoNode, .name = "Gehäuse", .kind = NodeKind::body, .mesh = 0},
                 {.id = 4, .parent = 3, .name = ""}};
  scene.meshes = {{.vertices = 8, .triangles = 12, .chunks = 1, .closed = true}};
  const auto bytes = encode(scene);
  const auto read = std::get<Scene>(parse_server(bytes));
  ASSERT_EQ(read.nodes.size(), 2U);
  EXPECT_EQ(read.nodes[0].name, "Gehäuse");
  EXPECT_EQ(read.nodes[1].parent, 3U);
  EXPECT_TRUE(read.meshes[0].closed);
  EXPECT_EQ(encode(read), bytes);
}

TEST(Protocol, BoundsMayBeInfinite) {
  Proved proved;
  proved.first_lower = proved.first_upper = kInfinity;
  EXPECT_EQ(std::get<Proved>(parse_server(encode(proved))).first_upper, kInfinity);
}

TEST(Protocol, WhatIsNoMessageIsRefusedByItsPlace) {
  EXPECT_EQ(bad_byte({}), 0U);
  EXPECT_EQ(bad_byte({std::byte{255}}), 0U);
  EXPECT_EQ(bad_byte({std::byte{Scene::kId}}), 0U) << "a message of the other side";

  auto bytes = encode(Drag{});
  bytes.pop_back();
  EXPECT_EQ(bad_byte(bytes), bytes.size() - 7) << "the last number has too few bytes";
  bytes = encode(Release{});
  bytes.push_back({});
  EXPECT_EQ(bad_byte(bytes), 1U);

  bytes = encode(Drag{});
  set(bytes, 13, kInfinity);
  EXPECT_EQ(bad_byte(bytes), 13U);
  bytes = encode(Drag{});
  set(bytes, 13 + 24, 0.5);
  EXPECT_EQ(bad_byte(bytes), 13U + 24) << "the quaternion is no rotation";

  bytes = encode(SetMode{.mode = Mode::contact});
  bytes[1] = std::byte{3};
  EXPECT_EQ(bad_byte(bytes), 1U);
  bytes = encode(Record{.on = true});
  bytes[1] = std::byte{2};
  EXPECT_EQ(bad_byte(bytes), 1U);
}

TEST(Protocol, TextsAreShortEnoughAndUtf8) {
  auto bytes = encode(SaveStudy{.name = "abc"});
  bytes[1] = std::byte{101};
  EXPECT_EQ(bad_byte(bytes), 1U) << "longer than any name";
  bytes[1] = std::byte{4};
  EXPECT_EQ(bad_byte(bytes), 1U) << "longer than the message";
  bytes = encode(SaveStudy{.name = "abc"});
  bytes[6] = std::byte{0xff};
  EXPECT_EQ(bad_byte(bytes), 6U);
  for (const char* bad :
       {"\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
    EXPECT_EQ(readable(bad, 100).find('\xef'), 0U) << "overlong, surrogates, too large, cut off";
  }
  EXPECT_EQ(readable("aä€𝄞", 100), "aä€𝄞");
  EXPECT_EQ(readable("aä€𝄞", 9), "aä€") << "is cut between characters";
}

TEST(Protocol, ACountTakesNoMemoryThatTheMessageDoesNotHave) {
  auto bytes = encode(Timeline{.keys = {1, 2}});
  const std::uint32_t many = 900000;
  std::memcpy(bytes.data() + 18, &many, sizeof(many));
  EXPECT_THROW((void)parse_server(bytes), ProtocolError);
  const std::uint32_t too_many = 1000001;
  std::memcpy(bytes.data() + 18, &too_many, sizeof(too_many));
  EXPECT_THROW((void)parse_server(bytes), ProtocolError);
}

TEST(Protocol, WhatIsTooLongForTheSchemaIsNotWritten) {
  OpenPairs pairs;
  pairs.lines.resize(1200001);
  EXPECT_THROW((void)encode(pairs), InvalidInput);
}

// A message that is read at all is written as the same bytes, so nothing is read twice or passed
// over.
TEST(Protocol, RandomBytesAreRefusedOrWrittenAgain) {
  base::Random random(1);
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    auto bytes = encode(Grab{.node = 1, .mode = Mode::stop, .point = {1, 2, 3}});
    const auto size = static_cast<Index>(bytes.size());
    const Index at = random.below(size);
    bytes[at] = static_cast<std::byte>(random.below(256));
    if (i % 3 == 0) bytes.resize(random.below(size + 1));
    try {
      const ClientMessage message = parse_client(bytes);
      ++read;
      EXPECT_EQ(encode(message), bytes);
    } catch (const ProtocolError& error) {
      EXPECT_LE(error.byte(), bytes.size());
    }
  }
  EXPECT_GT(read, 2000);
  EXPECT_LT(read, 18000);
}

// The samples are made by other code, which follows docs/protocol.md; the page's tests read the
// same.
TEST(Protocol, SamplesOfAllMessagesAreReadAndWrittenAgain) {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "samples";
  const std::string command = std::string("\"") + TOUCHE_NODE + "\" \"" + test::kSourceFolder +
                              "/viewer/tools/generate_protocol.mjs\" --samples \"" + file.string() +
                              "\"";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream in(file, std::ios::binary);
  std::set<std::uint8_t> ids;
  int samples = 0;
  for (std::uint32_t size; in.read(reinterpret_cast<char*>(&size), sizeof(size)); ++samples) {
    std::vector<std::byte> bytes(size);
    ASSERT_TRUE(in.read(reinterpret_cast<char*>(bytes.data()), size));
    const auto id = static_cast<std::uint8_t>(bytes[0]);
    ids.insert(id);
    const std::vector<std::byte> again =
        id < 128 ? encode(parse_server(bytes)) : encode(parse_client(bytes));
    EXPECT_EQ(again, bytes) << "message " << int{id};
  }
  EXPECT_EQ(ids.size(), std::variant_size_v<ServerMessage> + std::variant_size_v<ClientMessage>);
  EXPECT_EQ(samples, 20 * static_cast<int>(ids.size()));
}

}  // namespace
}  // namespace touche::viewer::protocol_test
