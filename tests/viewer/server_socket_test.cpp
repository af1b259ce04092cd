// SPDX-License-Identifier: Apache-2.0
// WebSockets of clients that are hostile, broken, silent or slow.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "viewer_server.h"

namespace touche::server_socket_test {
namespace {

using namespace std::chrono_literals;
using test::Frame;
using test::frame_bytes;
using test::message;
using test::RawClient;
using test::RunningServer;
using viewer::Delivery;

constexpr int kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10;

TEST(ViewerServerSocket, BringsMessagesBothWays) {
  RunningServer server;
  RawClient client = server.client();
  for (const std::size_t size : {1u, 125u, 126u, 127u, 4096u, 65535u, 65536u}) {
    const std::string text(size, 'x');
    client.send(kBinary, text);
    const std::optional<Frame> frame = client.frame();
    ASSERT_TRUE(frame.has_value()) << size;
    EXPECT_EQ(frame->opcode, kBinary);
    EXPECT_TRUE(frame->is_last);
    EXPECT_EQ(frame->payload, text);
  }
  client.send(kBinary, "in ", false);
  client.send(kPing, "between");
  client.send(0, "three ", false);
  client.send(0, "parts");
  EXPECT_EQ(client.frame()->opcode, kPong);
  EXPECT_EQ(client.frame()->payload, "in three parts");
  server.server.close(1, "that is enough");
  EXPECT_EQ(client.closing_code(), 1013);
  EXPECT_TRUE(server.room.wait_for(1, 0));
  server.server.send(1, message("gone"), Delivery::reliable);  // nobody is there
  server.server.send(77, message("nobody"), Delivery::latest);
  server.server.close(77, "nobody");
  EXPECT_EQ(server.server.waiting_bytes(1), 0u);
}

TEST(ViewerServerSocket, ClosesThoseWhoBreakTheProtocol) {
  RunningServer server;
  const std::string huge = std::string("\x82\xff", 2) + std::string(8, '\x7f') + "mask";
  const std::string negative = std::string("\x82\xff", 2) + std::string(8, '\xff') + "mask";
  std::string garbage;
  for (int i = 0; i < 300; ++i) garbage += static_cast<char>(0xf3 + i * 31);
  const std::string cases[] = {
      frame_bytes(kBinary, "not masked", true, false),
      frame_bytes(kText, "text"),
      frame_bytes(3, "no such opcode"),
      frame_bytes(11, "no such control"),
      std::string("\xc2\x81mask?", 7),  // a reserved bit
      frame_bytes(0, "goes on with nothing"),
      frame_bytes(kBinary, "a", false) + frame_bytes(kBinary, "b"),  // a message in a message
      frame_bytes(kPing, std::string(126, 'x')),                     // too long for a control
      frame_bytes(kPing, "in parts", false),
      frame_bytes(kClose, "\x01"),
      frame_bytes(kClose, std::string("\x00\x01", 2)),
      huge,
      negative,
      frame_bytes(kBinary, std::string((64 << 10) + 1, 'x')),  // one byte too many
      garbage,
  };
  std::size_t entered = 0;
  for (const std::string& bytes : cases) {
    RawClient client = server.client();
    client.send(bytes);
    EXPECT_GE(client.closing_code(), 0) << "case " << entered;
    EXPECT_TRUE(server.room.wait_for(++entered, 0)) << "case " << entered - 1;
  }
  EXPECT_TRUE(server.is_well());
}

TEST(ViewerServerSocket, AMessageOfManyPartsIsNoLonger) {
  RunningServer server;
  RawClient client = server.client();
  client.send(kBinary, std::string(1000, 'x'), false);
  std::size_t parts = 1;
  while (parts < 10000 && client.send(0, std::string(1000, 'x'), false)) ++parts;
  EXPECT_GE(client.closing_code(), 0);
  EXPECT_TRUE(server.room.wait_for(1, 0));
  EXPECT_EQ(server.room.largest(), 0u);
  EXPECT_TRUE(server.is_well());
}

TEST(ViewerServerSocket, FloodsAreStopped) {
  viewer::ServerOptions options = RunningServer::options();
  options.limits.messages_per_second = 200;
  RunningServer server(options);
  server.room.echoes = false;
  const struct {
    int opcode;
    std::size_t size;
  } floods[] = {{kBinary, 1}, {kPing, 1}, {kPong, 0}, {kBinary, 60000}};
  std::size_t entered = 0;
  for (const auto& [opcode, size] : floods) {
    RawClient client = server.client();
    const std::string bytes = frame_bytes(opcode, std::string(size, 'x'));
    const auto start = std::chrono::steady_clock::now();
    const std::size_t before = server.room.received();
    while (client.send(bytes)) {
      ASSERT_LT(std::chrono::steady_clock::now() - start, 60s) << "opcode " << opcode;
    }
    // Counted before the time is taken, which may be long after on a busy machine. Bytes that are
    // taken until the connection ends reach nobody.
    const std::size_t received = server.room.received() - before;
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    EXPECT_LE(static_cast<double>(received), 400 + 200 * time.count());
    client.closing_code();
    EXPECT_TRUE(server.room.wait_for(++entered, 0)) << "opcode " << opcode;
  }
  // A client within the limit stays: a hand's 60 messages a second.
  RawClient client = server.client();
  for (int i = 0; i < 60; ++i) {
    client.send(kBinary, std::string(100, 'x'));
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_TRUE(server.room.wait_for(entered + 1, 1));
}

TEST(ViewerServerSocket, OnlySoManyLook) {
  viewer::ServerOptions options = RunningServer::options();
  options.limits.max_clients = 3;
  RunningServer server(options);
  {
    std::vector<RawClient> clients;
    for (int i = 0; i < 3; ++i) clients.push_back(server.client());
    EXPECT_EQ(server.ask(server.upgrade("http://" + server.host())), 503);
    EXPECT_TRUE(server.is_well());
  }
  EXPECT_TRUE(server.room.wait_for(3, 0));
  RawClient another = server.client();  // there is room again
}

TEST(ViewerServerSocket, WhoVanishesIsMissed) {
  EXPECT_TRUE(test::holds_with_patience(2s, [](std::chrono::milliseconds silence) {
    viewer::ServerOptions options = RunningServer::options();
    options.limits.silence = silence;
    RunningServer server(options);
    const RawClient vanished = server.client();  // answers no sign
    RawClient there = server.client();
    if (!server.room.wait_for(2, 2)) return false;
    const auto end = std::chrono::steady_clock::now() + silence + 60s;
    while (server.room.inside() == 2 && std::chrono::steady_clock::now() < end) {
      const std::optional<Frame> asked = there.frame(50ms);
      if (asked && asked->opcode == kPing) there.send(kPong, asked->payload);
    }
    there.send(kBinary, "here");
    std::optional<Frame> frame = there.frame();
    while (frame && frame->opcode == kPing) frame = there.frame();
    return server.room.inside() == 1 && frame && frame->payload == "here";
  }));
}

// The world runs on; another client gets each frame's newest; what waits stays small.
TEST(ViewerServerSocket, WhoNeverReadsLosesFramesAndHoldsUpNobody) {
  viewer::ServerOptions options = RunningServer::options();
  options.limits.stall = options.limits.silence = 10min;  // nobody is closed
  RunningServer server(options);
  server.room.echoes = false;
  const RawClient asleep = server.client(4096);
  RawClient awake = server.client();
  ASSERT_TRUE(server.room.wait_for(2, 2));
  constexpr int kFrames = 2000;
  std::atomic<bool> seen_last = false;
  std::thread reader([&] {
    while (const std::optional<Frame> frame = awake.frame())
      if (frame->payload.ends_with("frame " + std::to_string(kFrames - 1))) break;
    seen_last = true;
  });
  const std::string padding(64 << 10, 'p');
  std::vector<std::weak_ptr<const std::vector<std::byte>>> frames;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kFrames; ++i) {
    const viewer::Bytes frame = message("P" + padding + "frame " + std::to_string(i));
    frames.push_back(frame);
    for (const viewer::ClientId client : {1u, 2u})
      server.server.send(client, frame, Delivery::latest);
    if (i % 10 == 0) std::this_thread::sleep_for(1ms);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, 4min);
  reader.join();
  EXPECT_TRUE(seen_last);
  // Only what is being sent and what is next is still held of 130 MB.
  EXPECT_LE(std::ranges::count_if(frames, [](const auto& frame) { return !frame.expired(); }), 4);
  EXPECT_EQ(server.room.inside(), 2u);
  EXPECT_TRUE(server.is_well());
}

TEST(ViewerServerSocket, WhoNeverReadsWhatMayNotBeLostIsClosed) {
  viewer::ServerOptions options = RunningServer::options();
  options.limits.max_waiting_bytes = 1 << 20;
  RunningServer server(options);
  const RawClient asleep = server.client(4096);
  ASSERT_TRUE(server.room.wait_for(1, 1));
  const viewer::Bytes chunk = message(std::string(64 << 10, 'c'));
  std::size_t most = 0;
  for (int i = 0; i < 1000 && server.room.inside() == 1; ++i) {
    server.server.send(1, chunk, Delivery::reliable);
    most = std::max(most, server.server.waiting_bytes(1));
    if (i > 100) std::this_thread::sleep_for(1ms);
  }
  EXPECT_TRUE(server.room.wait_for(1, 0));
  EXPECT_GT(most, 500'000u);
  EXPECT_LE(most, 1u << 20);
}

TEST(ViewerServerSocket, WhoTakesNothingIsClosedInTime) {
  viewer::ServerOptions options = RunningServer::options();
  options.limits.stall = 300ms;
  RunningServer server(options);
  const RawClient asleep = server.client(4096);
  ASSERT_TRUE(server.room.wait_for(1, 1));
  for (int i = 0; i < 100; ++i)
    server.server.send(1, message(std::string(64 << 10, 'c')), Delivery::reliable);
  EXPECT_TRUE(server.room.wait_for(1, 0));
}

TEST(ViewerServerSocket, EndsInTheMiddleOfEverything) {
  const auto ends = [](std::chrono::milliseconds farewell) {
    viewer::ServerOptions options = RunningServer::options();
    options.limits.farewell = farewell;
    RunningServer server(options);
    RawClient asleep = server.client(4096), awake = server.client(), half(server.server.port());
    half.send("GET /");
    awake.send(kBinary, "a message that ", false);
    EXPECT_TRUE(server.room.wait_for(2, 2));
    std::atomic<bool> done = false;
    std::atomic<int> sent = 0;
    std::thread world([&] {
      for (; !done; ++sent)
        for (const viewer::ClientId client : {1u, 2u})
          server.server.send(client, message(std::string(100'000, 'w')), Delivery::latest);
    });
    while (sent < 20) std::this_thread::sleep_for(1ms);
    int code = 0;
    std::thread reader([&] { code = awake.closing_code(); });
    const auto start = std::chrono::steady_clock::now();
    server.stop();  // sees that both left the room
    EXPECT_LT(std::chrono::steady_clock::now() - start, farewell + 60s);
    done = true;
    world.join();
    reader.join();
    return code == 1001;
  };
  for (int round = 0; round < 5; ++round) EXPECT_TRUE(test::holds_with_patience(1s, ends)) << round;
  viewer::Server never_run(RunningServer::options());
  RawClient early(never_run.port());
}

TEST(ViewerServerSocket, PagesThatCloseInTheMiddleLeave) {
  RunningServer server;
  for (int i = 0; i < 50; ++i) {
    RawClient client = server.client();
    client.send(frame_bytes(kBinary, std::string(1000, 'x')).substr(0, 500));
    if (i % 2 == 0) client.send(kClose, "\x03\xe8");
  }
  EXPECT_TRUE(server.room.wait_for(50, 0));
  EXPECT_TRUE(server.is_well());
}

}  // namespace
}  // namespace touche::server_socket_test
