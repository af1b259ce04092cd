// SPDX-License-Identifier: Apache-2.0
// Messages that were damaged, always in the same ways, and what fuzz/fuzz_protocol.cpp has found.
#include "protocol_bytes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "base/random.h"
#include "source_folder.h"
#include "test_scale.h"

namespace touche::protocol_bytes_test {
namespace {

using Message = std::vector<std::byte>;

// One of each kind, as it is by default.
template <class Variant>
void add_kinds(std::vector<Message>& messages) {
  [&]<std::size_t... kKind>(std::index_sequence<kKind...>) {
    (messages.push_back(viewer::protocol::encode(std::variant_alternative_t<kKind, Variant>())),
     ...);
  }
  (std::make_index_sequence<std::variant_size_v<Variant>>());
}

std::vector<Message> messages_to_damage() {
  using namespace viewer::protocol;
  std::vector<Message> messages;
  add_kinds<ClientMessage>(messages);
  add_kinds<ServerMessage>(messages);
  // Texts and arrays that hold something.
  messages.push_back(encode(Enter{}));
  messages.push_back(encode(SaveStudy{.name = "Gehäuse, links"}));
  messages.push_back(encode(Notice{.text = "ein Hinweis"}));
  Scene scene;
  scene.nodes.resize(3);
  scene.meshes.resize(2);
  messages.push_back(encode(scene));
  return messages;
}

void damage(Message& message, base::Random& random) {
  const std::size_t at = random.below(static_cast<Index>(message.size() + 1));
  const auto byte = [&] {
    const std::byte nasty[] = {std::byte{0}, std::byte{1}, std::byte{0x7f}, std::byte{0xff}};
    return random.below(2) == 0 ? nasty[random.below(4)] : std::byte(random.below(256));
  };
  switch (random.below(4)) {
    case 0:
      message.resize(at);
      break;
    case 1:
      message.insert(message.begin() + static_cast<std::ptrdiff_t>(at), byte());
      break;
    default:  // changes of a byte most often leave a message
      if (at < message.size()) message[at] = byte();
  }
}

TEST(ProtocolBytes, DamagedMessagesAreReadOrRefused) {
  const std::vector<Message> whole = messages_to_damage();
  for (const Message& message : whole) {
    const test::ProtocolOutcome outcome = test::try_message(message);
    EXPECT_EQ(outcome.read, 1) << "message " << static_cast<int>(message.front());
    EXPECT_EQ(outcome.fault, "");
  }
  base::Random random(3);
  int read = 0, refused = 0;
  const int rounds = test::scaled(200000, 20000);
  for (int round = 0; round < rounds; ++round) {
    Message message = whole[random.below(static_cast<Index>(whole.size()))];
    for (Index times = 1 + random.below(3); times > 0; --times) damage(message, random);
    const test::ProtocolOutcome outcome = test::try_message(message);
    ASSERT_EQ(outcome.fault, "") << "round " << round;
    ASSERT_LE(outcome.read, 1) << "round " << round;  // a message is of one side
    read += outcome.read;
    refused += 1 - outcome.read;
  }
  EXPECT_GT(read, rounds / 10);
  EXPECT_GT(refused, rounds / 10);
}

TEST(ProtocolBytes, TheCorpusIsReadOrRefused) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(test::kSourceFolder) / "fuzz/corpus/protocol")) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(test::try_message(std::as_bytes(std::span(bytes))).fault, "") << entry.path();
    ++files;
  }
  EXPECT_GE(files, 20);
}

}  // namespace
}  // namespace touche::protocol_bytes_test
