// SPDX-License-Identifier: Apache-2.0
// The server on a real socket, with all kinds of requests that it must not answer.
#include <gtest/gtest.h>

#include "touche/types.h"
#include "viewer_server.h"

namespace touche::server_http_test {
namespace {

using test::RawClient;
using test::RunningServer;

bool has(const std::string& text, std::string_view piece) { return text.find(piece) != text.npos; }

TEST(ViewerServerHttp, BringsThePageAndItsRules) {
  const RunningServer server;
  RawClient client(server.server.port());
  for (int i = 0; i < 3; ++i) {  // on one connection
    client.send(server.get(server.page()));
    const std::string text = client.response();
    EXPECT_TRUE(text.starts_with("HTTP/1.1 200 OK\r\n")) << text;
    EXPECT_TRUE(text.ends_with("\r\n\r\nthe page")) << text;
    EXPECT_TRUE(has(text, "\r\nContent-Security-Policy: default-src 'none'; script-src 'self'; "))
        << text;
    EXPECT_TRUE(has(text, "\r\nContent-Encoding: gzip\r\n"));
    EXPECT_TRUE(has(text, "\r\nCache-Control: no-store\r\n"));
    EXPECT_TRUE(has(text, "\r\nX-Content-Type-Options: nosniff\r\n"));
    EXPECT_TRUE(has(text, "\r\nReferrer-Policy: no-referrer\r\n"));
    EXPECT_TRUE(has(text, "\r\nCross-Origin-Resource-Policy: same-origin\r\n"));
  }
  client.send(server.get(server.page("deep/main.js")));
  EXPECT_TRUE(client.response().ends_with("its script"));
  client.send(server.get("/" + std::string(RunningServer::kToken)));
  EXPECT_TRUE(has(client.response(), "\r\nLocation: " + server.page() + "\r\n"));
  EXPECT_EQ(server.server.url(), "http://" + server.host() + server.page());
}

TEST(ViewerServerHttp, RefusesStrangers) {
  const RunningServer server;
  EXPECT_EQ(server.ask(server.get("/")), 403);
  EXPECT_EQ(server.ask(server.get("/ABCDEFGHIJKLMNOPQRSTUVWXYZ_-0123/")), 403);
  EXPECT_EQ(server.ask(server.get(server.page("../../etc/passwd"))), 404);
  EXPECT_EQ(server.ask(server.get(server.page("%2e%2e/%2e%2e/etc/passwd"))), 404);
  const std::string page = server.page(), host = "Host: " + server.host() + "\r\n";
  const std::string first = "GET " + page + " HTTP/1.1\r\nAccept-Encoding: gzip\r\n";
  EXPECT_EQ(server.ask(first + host + "\r\n"), 200);
  EXPECT_EQ(server.ask(first + "\r\n"), 400);
  EXPECT_EQ(server.ask(first + host + host + "\r\n"), 400);
  EXPECT_EQ(server.ask(first + host + "Host: evil.example\r\n\r\n"), 400);
  EXPECT_EQ(
      server.ask(first + "Host: evil.example:" + std::to_string(server.server.port()) + "\r\n\r\n"),
      421);
  EXPECT_EQ(server.ask(first + host + "Origin: http://evil.example\r\n\r\n"), 403);
  const std::string own = "Origin: http://" + server.host() + "\r\n";
  EXPECT_EQ(server.ask(first + host + own + "\r\n"), 200);
  EXPECT_EQ(server.ask(first + host + own + "Origin: null\r\n\r\n"), 400);
  EXPECT_EQ(server.ask("POST " + page + " HTTP/1.1\r\n" + host + "Content-Length: 0\r\n\r\n"), 405);
  EXPECT_EQ(server.ask("HEAD " + page + " HTTP/1.0\r\n" + host + "\r\n"), 405);
  // No refusal says the token.
  RawClient client(server.server.port());
  client.send(server.get("/"));
  EXPECT_FALSE(has(client.response(), RunningServer::kToken));
}

TEST(ViewerServerHttp, RefusesWebSocketsOfOtherPages) {
  RunningServer server;
  const std::string port = std::to_string(server.server.port());
  for (const std::string& origin :
       {std::string("http://evil.example"), std::string("null"), "http://localhost:" + port,
        "https://" + server.host(), "http://" + server.host() + "0", std::string()})
    EXPECT_EQ(server.ask(server.upgrade(origin)), 403) << origin;
  std::string wrong = server.upgrade("http://" + server.host());
  wrong.replace(wrong.find("abcdefg"), 7, "ABCDEFG");
  EXPECT_EQ(server.ask(wrong), 403);
  EXPECT_EQ(server.ask(server.get(server.page("socket"))), 426);
  EXPECT_EQ(server.ask(server.upgrade("http://" + server.host())), 101);
  EXPECT_TRUE(server.room.wait_for(1, 0));  // only that one came in
}

TEST(ViewerServerHttp, SurvivesGarbage) {
  const RunningServer server;
  const std::string page = server.page(), host = "Host: " + server.host() + "\r\n";
  const std::string first = "GET " + page + " HTTP/1.1\r\n" + host;
  std::string bytes;
  for (int i = 0; i < 4096; ++i) bytes += static_cast<char>(i * 7919 >> 3);
  for (const std::string& request :
       {bytes,
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + bytes,  // a TLS greeting
        std::string("GET\r\n\r\n"), std::string("\r\n\r\n\r\n\r\nX\r\n\r\n"),
        "GET " + page + " HTTP/9.9\r\n" + host + "\r\n", "GET " + page + "\r\n\r\n",
        first + "A B: c\r\n\r\n", first + ": c\r\n\r\n",
        first + "X: " + std::string(20000, 'x') + "\r\n\r\n",
        "GET /" + std::string(20000, 'x') + " HTTP/1.1\r\n" + host + "\r\n",
        first + "Content-Length: 5\r\n\r\nhello",
        first + "Content-Length: 99999999999999999999\r\n\r\n",
        first + "Content-Length: -1\r\n\r\n",
        first + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        first + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")}) {
    RawClient client(server.server.port());
    client.send(request);
    const int status = client.status();
    EXPECT_TRUE(status == 0 || status / 100 == 4) << status << " for " << request.substr(0, 60);
    EXPECT_TRUE(client.is_closed()) << request.substr(0, 60);
  }
  EXPECT_TRUE(server.is_well());
}

TEST(ViewerServerHttp, SlowClientsAreCutOff) {
  viewer::ServerOptions options = RunningServer::options();
  options.limits.request_time = std::chrono::seconds(1);
  const RunningServer server(options);
  RawClient silent(server.server.port());
  RawClient slow(server.server.port());
  // A letter now and then does not prolong it.
  slow.send("GET " + server.page() + " HTTP/1.1\r\nHost: " + server.host() + "\r\nX: ");
  const auto patience = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  bool taken = true;
  while (taken && std::chrono::steady_clock::now() < patience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    taken = slow.send("x");
  }
  EXPECT_FALSE(taken);
  EXPECT_TRUE(slow.is_closed());
  EXPECT_TRUE(silent.is_closed());
  EXPECT_TRUE(server.is_well());
}

TEST(ViewerServerHttp, ManyConnectionsDoNotKeepOthersOut) {
  viewer::ServerOptions options = RunningServer::options();
  options.limits.max_connections = 8;
  const RunningServer server(options);
  RawClient looker = server.client();
  std::vector<RawClient> silent;
  for (int i = 0; i < 200; ++i) {
    silent.emplace_back(server.server.port());
    if (i % 2 == 0) silent.back().send("GET ");
  }
  EXPECT_TRUE(server.is_well());
  EXPECT_TRUE(silent.front().is_closed());
  looker.send(2, "still here");
  ASSERT_TRUE(looker.frame().has_value());  // a passive client is never cut off for them
  EXPECT_TRUE(server.is_well());
}

TEST(ViewerServerHttp, SaysWhatIsWrongWithItsOptions) {
  const auto reason = [](const std::string& address, std::uint16_t port, const std::string& token) {
    viewer::ServerOptions options = RunningServer::options();
    options.address = address;
    options.port = port;
    if (!token.empty()) options.token = token;
    try {
      const viewer::Server server(options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const RunningServer server;
  EXPECT_EQ(reason("127.0.0.1", server.server.port(), ""),
            server.host() + ": cannot listen: the port is in use");
  EXPECT_TRUE(has(reason("localhost", 0, ""), "localhost: is no address in numbers"));
  EXPECT_TRUE(has(reason("192.0.2.1", 0, ""), "192.0.2.1:0: cannot listen: "));  // of no machine
  EXPECT_TRUE(has(reason("127.0.0.1", 0, "short"), "at least 32"));
  EXPECT_EQ(reason("127.0.0.1", 0, ""), "");
}

}  // namespace
}  // namespace touche::server_http_test
