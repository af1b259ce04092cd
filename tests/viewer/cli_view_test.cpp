// SPDX-License-Identifier: Apache-2.0
// `touche view` as a user calls it, and as it ends.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <variant>

#include "cli_run.h"
#include "raw_client.h"
#include "running_program.h"
#include "viewer/protocol.h"

namespace touche::cli_view_test {
namespace {

using test::has;
using test::Outcome;
using test::RawClient;
using test::RunningProgram;
using test::StudyFolder;
using test::touche_cli;
using namespace std::chrono_literals;

constexpr const char* kToken = "abcdefghijklmnopqrstuvwxyz_-0123";

class CliView : public testing::Test {
 protected:
  CliView() { folder_.write("box.json", test::box_study().dump()); }

  // `touche view box.json --no-browser ...`, once it listens.
  struct Viewing {
    Viewing(const StudyFolder& folder, const std::vector<std::string>& more)
        : program(folder.path().string(), words(more),
                  {std::string("TOUCHE_VIEW_TOKEN=") + kToken}) {
      const std::string& text = program.wait_for("Ctrl-C");
      const std::size_t colon = text.find(':', text.find("http://127.0.0.1:") + 7);
      port = static_cast<std::uint16_t>(std::stoul(text.substr(colon + 1)));
    }
    static std::vector<std::string> words(const std::vector<std::string>& more) {
      std::vector<std::string> all = {TOUCHE_CLI, "view", "box.json", "--no-browser"};
      all.insert(all.end(), more.begin(), more.end());
      return all;
    }
    [[nodiscard]] std::string request(const std::string& name, const std::string& headers) const {
      return "GET /" + std::string(kToken) + "/" + name +
             " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
             "\r\nAccept-Encoding: gzip\r\n" + headers + "\r\n";
    }
    // A WebSocket, open.
    [[nodiscard]] RawClient client() const {
      RawClient client(port);
      client.send(request("socket", "Origin: http://127.0.0.1:" + std::to_string(port) +
                                        "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                        "Sec-WebSocket-Version: 13\r\n"
                                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"));
      EXPECT_EQ(client.status(), 101);
      return client;
    }
    RunningProgram program;
    std::uint16_t port = 0;
  };

  const StudyFolder folder_{"cli-view"};
};

TEST_F(CliView, BringsThePageAndEndsWithCtrlC) {
  Viewing viewing(folder_, {});
  EXPECT_TRUE(
      has(viewing.program.wait_for("Ctrl-C"), std::string(kToken) + "/\nCtrl-C ends it.\n"));
  for (const char* name : {"", "main.js", "main.css", "licences.txt"}) {
    RawClient client(viewing.port);
    client.send(viewing.request(name, ""));
    EXPECT_EQ(client.status(), 200) << name;
  }
  RawClient client = viewing.client();
  RawClient silent(viewing.port);
  const auto start = std::chrono::steady_clock::now();
  viewing.program.kill(SIGINT);
  EXPECT_EQ(client.closing_code(), 1001);
  EXPECT_EQ(viewing.program.wait(), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
}

template <class Message>
void send(RawClient& client, const Message& message) {
  const std::vector<std::byte> bytes = viewer::protocol::encode(message);
  client.send(2, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// The next message of a kind; other kinds are skipped.
template <class Message>
Message receive(RawClient& client) {
  while (const std::optional<test::Frame> frame = client.frame()) {
    if (frame->opcode != 2) continue;
    const auto message = viewer::protocol::parse_server(std::as_bytes(std::span(frame->payload)));
    if (const auto* const found = std::get_if<Message>(&message)) return *found;
  }
  ADD_FAILURE() << "it does not come";
  return {};
}

// Drags and records; ends in the middle of that, as `end` does it.
void interrupt_a_recording(const StudyFolder& folder, RawClient& client,
                           const std::function<void()>& end) {
  using namespace viewer::protocol;
  send(client, Enter{.protocol = kVersion});
  const Scene scene = receive<Scene>(client);
  const auto moving = std::ranges::find(scene.nodes, "moving", &Node::name);
  ASSERT_NE(moving, scene.nodes.end());
  send(client, Grab{.node = moving->id, .mode = Mode::stop});
  send(client, Record{.on = true});
  Held held;
  for (std::uint32_t i = 1; i <= 20; ++i) {
    send(client, Drag{.sequence = i, .target = Pose::from_translation({0.1 * i, 0, 0})});
    held = receive<Held>(client);
    EXPECT_LE(held.sequence, i);
  }
  // On a busy machine steps may end before anything has moved.
  while (!testing::Test::HasFailure() && (held.sequence < 20 || held.status != HeldStatus::arrived))
    held = receive<Held>(client);
  end();
  // The hand's path becomes a study.
  const auto saved = folder.path() / "box-recording" / "study.json";
  const auto patience = std::chrono::steady_clock::now() + 60s;
  while (!std::filesystem::exists(saved) && std::chrono::steady_clock::now() < patience)
    std::this_thread::sleep_for(5ms);
  const Outcome proof = touche_cli(folder, "study box-recording/study.json --json");
  EXPECT_EQ(proof.exit_code, 0) << proof.err;
  EXPECT_EQ(test::Json::parse(proof.out)["verdict"]["status"], "free");
}

TEST_F(CliView, CtrlCInTheMiddleOfADragSavesTheRecording) {
  Viewing viewing(folder_, {});
  RawClient client = viewing.client();
  interrupt_a_recording(folder_, client, [&] {
    viewing.program.kill(SIGINT);
    EXPECT_EQ(viewing.program.wait(), 0);
  });
}

TEST_F(CliView, APageThatClosesInTheMiddleOfADragLosesNoRecording) {
  Viewing viewing(folder_, {});
  RawClient client = viewing.client();
  interrupt_a_recording(folder_, client, [&] { client.drop(); });
  const RawClient again = viewing.client();
}

TEST_F(CliView, AKilledProgramLeavesWhatWasRecorded) {
  Viewing viewing(folder_, {});
  RawClient client = viewing.client();
  interrupt_a_recording(folder_, client, [&] {
    const auto journal = folder_.path() / "box-recording" / "study.json";
    const auto patience = std::chrono::steady_clock::now() + 60s;
    while (!std::filesystem::exists(journal) && std::chrono::steady_clock::now() < patience)
      std::this_thread::sleep_for(5ms);
    viewing.program.kill(SIGKILL);
    EXPECT_EQ(viewing.program.wait(), -SIGKILL);
  });
}

TEST_F(CliView, EndsWithAPageThatTakesNothing) {
  for (const int signal : {SIGTERM, SIGHUP}) {
    Viewing viewing(folder_, {});
    const RawClient asleep = viewing.client();
    viewing.program.kill(signal);
    EXPECT_EQ(viewing.program.wait(), 0);
  }
}

// The page finds the server again under its old address.
TEST_F(CliView, MayBeKilledAndStartedAgain) {
  Viewing first(folder_, {});
  RawClient client = first.client();
  first.program.kill(SIGKILL);
  EXPECT_EQ(first.program.wait(), -SIGKILL);
  EXPECT_TRUE(client.is_closed());
  Viewing second(folder_, {"--port", std::to_string(first.port)});
  EXPECT_EQ(second.port, first.port);
  const RawClient again = second.client();
}

// `touche view --same-address`, from a folder with a state folder of its own.
class CliViewAgain : public CliView {
 protected:
  // Its address; the program runs as long as the test wants.
  std::string start(std::unique_ptr<RunningProgram>& program, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {TOUCHE_CLI, "view", "box.json", "--no-browser",
                                      "--same-address"};
    words.insert(words.end(), more.begin(), more.end());
    program.reset();
    program = std::make_unique<RunningProgram>(
        folder_.path().string(), words,
        std::vector{"XDG_STATE_HOME=" + (folder_.path() / "state").string()});
    const std::string& text = program->wait_for("Ctrl-C");
    return text.substr(0, text.find('\n'));
  }
  [[nodiscard]] static std::string port_of(const std::string& address) {
    const std::size_t colon = address.rfind(':');
    return address.substr(colon + 1, address.find('/', colon) - colon - 1);
  }
  [[nodiscard]] static std::string path_of(const std::string& address) {
    return address.substr(address.find('/', address.rfind(':')));
  }
  // A page that is open: while it is, and for a minute after the program ended, the system gives
  // its port to no other test that wants any port.
  [[nodiscard]] static RawClient page_at(const std::string& address) {
    RawClient page(static_cast<std::uint16_t>(std::stoul(port_of(address))));
    page.send("GET " + path_of(address) + " HTTP/1.1\r\nHost: 127.0.0.1:" + port_of(address) +
              "\r\nAccept-Encoding: gzip\r\n\r\n");
    EXPECT_EQ(page.status(), 200) << address;
    return page;
  }
  [[nodiscard]] std::filesystem::path kept() const {
    return std::filesystem::directory_iterator(folder_.path() / "state" / "touche")->path();
  }
};

TEST_F(CliViewAgain, HasItsAddressAgain) {
  std::unique_ptr<RunningProgram> first, second;
  const std::string address = start(first);
  const RawClient page = page_at(address);
  struct stat status {};
  ASSERT_EQ(::stat(kept().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);

  // Another at the same time has one of its own, and leaves the first one's alone.
  const std::string other = start(second);
  EXPECT_NE(other, address);
  second->kill(SIGINT);
  EXPECT_EQ(second->wait(), 0);

  first->kill(SIGKILL);
  EXPECT_EQ(first->wait(), -SIGKILL);
  EXPECT_EQ(start(first), address);
  first->kill(SIGINT);
  EXPECT_EQ(first->wait(), 0);

  // A file that holds no address is as good as none.
  for (const char* const text : {"", "1", "70000 abc\n", "80", "8080 short\n", "x y z\n"}) {
    std::ofstream(kept()) << text;
    const std::string fresh = start(first);
    EXPECT_TRUE(fresh.starts_with("http://127.0.0.1:")) << fresh;
    EXPECT_NE(fresh, address);
    first->kill(SIGINT);
    EXPECT_EQ(first->wait(), 0) << text;
  }
}

// Another process that takes the port in between may have received the token: the program uses a
// new address.
TEST_F(CliViewAgain, GivesUpAnAddressThatSomebodyElseHas) {
  std::unique_ptr<RunningProgram> program, squatter;
  const std::string address = start(program), port = port_of(address);
  const RawClient page = page_at(address);
  program->kill(SIGKILL);
  EXPECT_EQ(program->wait(), -SIGKILL);
  const Viewing other(folder_, {"--port", port});
  const std::string fresh = start(program);
  EXPECT_EQ(fresh.find(":" + port + "/"), fresh.npos) << fresh;
  EXPECT_EQ(fresh.find(path_of(address)), fresh.npos) << fresh;
}

TEST_F(CliViewAgain, RefusesAFileThatOthersCanReadOrPutThere) {
  std::unique_ptr<RunningProgram> program;
  (void)start(program);
  program->kill(SIGINT);
  EXPECT_EQ(program->wait(), 0);
  const std::filesystem::path file = kept();
  const auto refuses = [&](const std::string& more, const std::string& reason) {
    RunningProgram refused(folder_.path().string(),
                           Viewing::words({"--same-address", "--address", more}),
                           {"XDG_STATE_HOME=" + (folder_.path() / "state").string()});
    EXPECT_TRUE(has(refused.wait_for(reason), "touche: ")) << reason;
    EXPECT_EQ(refused.wait(), 2) << reason;
  };
  refuses("0.0.0.0", "for loopback only");
  ASSERT_EQ(::chmod(file.c_str(), 0644), 0);
  refuses("127.0.0.1", "others than you may read or write it");
  std::filesystem::rename(file, folder_.path() / "elsewhere");
  ASSERT_EQ(::chmod((folder_.path() / "elsewhere").c_str(), 0600), 0);
  std::filesystem::create_symlink(folder_.path() / "elsewhere", file);
  refuses("127.0.0.1", "is a link");
}

TEST_F(CliView, ErrorsAreOneLine) {
  const Viewing viewing(folder_, {});
  const std::string port = std::to_string(viewing.port);
  const std::pair<std::string, std::string> cases[] = {
      {"view box.json --port " + port, "127.0.0.1:" + port + ": cannot listen: the port is in use"},
      {"view gone.json", "gone.json: "},
      {"view", "name a study, a result or meshes to view"},
      {"view box.json --address localhost", "localhost: is no address in numbers"},
      {"view box.json --address 192.0.2.1", "192.0.2.1:0: cannot listen: "},
  };
  for (const auto& [arguments, reason] : cases) {
    const Outcome outcome = touche_cli(folder_, arguments + " --no-browser");
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_TRUE(outcome.err.starts_with("touche: ")) << outcome.err;
    EXPECT_TRUE(has(outcome.err, reason)) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
  }
  const Outcome bad = touche_cli(folder_, "view box.json --rate 0");
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_TRUE(has(bad.err, "--rate: 0 is not from 1 to 1000")) << bad.err;
}

TEST_F(CliView, SaysWhatAnotherAddressMeans) {
  RunningProgram program(folder_.path().string(),
                         {TOUCHE_CLI, "view", "box.json", "--no-browser", "--address", "0.0.0.0"});
  const std::string& text = program.wait_for("Ctrl-C");
  EXPECT_TRUE(has(text, "touche: --address 0.0.0.0: any user of the network")) << text;
  EXPECT_TRUE(has(text, "The connection is not encrypted")) << text;
  program.kill(SIGINT);
  EXPECT_EQ(program.wait(), 0);
}

TEST_F(CliView, TellsTheLicencesOfThePage) {
  const Outcome outcome = touche_cli(folder_, "view --licences");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "three.js authors")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "Permission is hereby granted, free of charge")) << outcome.out;
}

// The address with its token is no program's argument: other users could read it there.
TEST_F(CliView, TheBrowserIsGivenAFileForThisUserOnly) {
  folder_.write(
      "xdg-open",
      "#!/bin/sh\ncp -p \"$1\" opened\necho \"$1\" >argument.new\nmv argument.new argument\n");
  std::filesystem::permissions(folder_.path() / "xdg-open", std::filesystem::perms::owner_all);
  const std::string in = folder_.path().string();
  RunningProgram program(
      in, {TOUCHE_CLI, "view", "box.json"},
      {"PATH=" + in + ":" + std::getenv("PATH"), "DISPLAY=:99", "XDG_RUNTIME_DIR=" + in});
  program.wait_for("Ctrl-C");
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (!std::filesystem::exists(folder_.path() / "argument") &&
         std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(5ms);
  std::string argument = test::read_text(folder_.path() / "argument");
  ASSERT_TRUE(argument.ends_with(".html\n")) << argument;
  argument.pop_back();
  struct stat status {};
  ASSERT_EQ(::stat(argument.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  const std::string url = program.output_so_far().substr(0, program.output_so_far().find('\n'));
  EXPECT_TRUE(url.starts_with("http://127.0.0.1:")) << url;
  EXPECT_FALSE(has(argument, url.substr(url.find('/', 8))));
  EXPECT_TRUE(has(test::read_text(folder_.path() / "opened"), "url=" + url + "\"")) << url;
  program.kill(SIGINT);
  EXPECT_EQ(program.wait(), 0);
  EXPECT_FALSE(std::filesystem::exists(argument));
}

}  // namespace
}  // namespace touche::cli_view_test
