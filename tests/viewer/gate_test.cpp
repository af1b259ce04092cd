// SPDX-License-Identifier: Apache-2.0
// Which requests are answered, attacked without sockets.
#include "viewer/gate.h"

#include <gtest/gtest.h>

#include <set>

namespace touche::viewer::gate_test {
namespace {

constexpr std::string_view kToken = "abcdefghijklmnopqrstuvwxyz_-0123";
constexpr Asset kAssets[] = {{"index.html", "text/html", "page"},
                             {"main.js", "text/javascript", "js"}};

// A request that is answered; tests change one thing.
Request good() {
  return {"GET", "/abcdefghijklmnopqrstuvwxyz_-0123/", "127.0.0.1:8080", "", "gzip, br", false};
}
Request socket() {
  Request request = good();
  request.target = "/abcdefghijklmnopqrstuvwxyz_-0123/socket";
  request.origin = "http://127.0.0.1:8080";
  request.upgrade = true;
  return request;
}
unsigned ask(const Request& request, bool loopback = true) {
  return Gate(std::string(kToken), 8080, loopback, kAssets).ask(request).status;
}
unsigned ask_host(std::string_view host, bool loopback = true) {
  Request request = good();
  request.host = host;
  return ask(request, loopback);
}
unsigned ask_target(const std::string& target) {
  Request request = good();
  request.target = target;
  return ask(request);
}

TEST(ViewerGate, AnswersThePage) {
  const Gate gate(std::string(kToken), 8080, true, kAssets);
  EXPECT_EQ(gate.ask(good()).status, 200u);
  EXPECT_EQ(gate.ask(good()).asset, &kAssets[0]);
  const std::string page = "/" + std::string(kToken) + "/";
  for (const auto& [target, asset] :
       {std::pair(page + "index.html", 0), std::pair(page + "main.js", 1),
        std::pair(page + "?any=/thing", 0), std::pair(page + "main.js?", 1)}) {
    Request request = good();
    request.target = target;
    EXPECT_EQ(gate.ask(request).asset, &kAssets[asset]) << target;
  }
  EXPECT_EQ(ask_target("/" + std::string(kToken)), 302u);
  EXPECT_EQ(ask(socket()), 101u);
}

TEST(ViewerGate, AsksForTheWholeToken) {
  const std::string token(kToken);
  std::set<std::string> wrong = {"",
                                 "/",
                                 token + "x",
                                 token.substr(1),
                                 token.substr(0, 31),
                                 "x" + token,
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-0123",
                                 "%61" + token.substr(1),
                                 " " + token,
                                 std::string(token).replace(5, 1, 1, '\0')};
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string other = token;
    other[i] = static_cast<char>(other[i] ^ 1);
    wrong.insert(other);
  }
  EXPECT_EQ(wrong.size(), 42u);
  for (const std::string& text : wrong) {
    EXPECT_NE(ask_target("/" + text), 302u) << text;
    for (const char* name : {"/", "/index.html", "/main.js", "/socket", "//", "/../"})
      EXPECT_EQ(ask_target("/" + text + name) / 100, 4u) << text << name;
    Request request = socket();
    const std::string target = "/" + text + "/socket";
    request.target = target;
    EXPECT_EQ(ask(request), 403u) << text;
  }
  EXPECT_EQ(ask_target(token + "/"), 404u);
  EXPECT_EQ(ask_target(""), 404u);
}

// A name server may say that a page's own host is 127.0.0.1: the browser then takes us for it.
TEST(ViewerGate, KnowsItsHost) {
  for (const char* host : {"127.0.0.1:8080", "localhost:8080", "[::1]:8080", "127.7.0.9:8080"})
    EXPECT_EQ(ask_host(host), 200u) << host;
  for (const char* host : {"",
                           "evil.example",
                           "evil.example:8080",
                           "127.0.0.1",
                           "127.0.0.1:8081",
                           "127.0.0.1:80800",
                           "127.0.0.1.evil.example:8080",
                           "localhost.evil.example:8080",
                           "evil.example:127.0.0.1:8080",
                           "127.0.0.1:8080.evil.example:8080",
                           "127.0.0:8080",
                           "127.0.0.256:8080",
                           "127.0.0.1.:8080",
                           "127.0.0.0001:8080",
                           "127.0.0.1.1:8080",
                           "127..0.1:8080",
                           ".127.0.0.1:8080",
                           "0x7f.0.0.1:8080",
                           "2130706433:8080",
                           "LOCALHOST.:8080",
                           "user@127.0.0.1:8080",
                           "127.0.0.1 :8080",
                           "[::2]:8080",
                           "0.0.0.0:8080",
                           "192.168.0.7:8080",
                           "[fe80::1]:8080",
                           ":8080",
                           "[]:8080"})
    EXPECT_EQ(ask_host(host), 421u) << host;
}

TEST(ViewerGate, KnowsAddressesButNoNamesWhereItListensToAll) {
  for (const char* host :
       {"127.0.0.1:8080", "localhost:8080", "192.168.0.7:8080", "[fe80::1]:8080"})
    EXPECT_EQ(ask_host(host, false), 200u) << host;
  for (const char* host :
       {"evil.example:8080", "evil:8080", "192.168.0.7", "192.168.0.evil:8080", "[evil]:8080",
        "[fe80:evil]:8080", "fe80::1:8080", "[::1:8080", "1.2.3:8080"})
    EXPECT_EQ(ask_host(host, false), 421u) << host;
}

TEST(ViewerGate, OtherPagesAreRefused) {
  for (const char* origin :
       {"http://evil.example", "null", "http://127.0.0.1:8081", "http://localhost:8080",
        "https://127.0.0.1:8080", "http://127.0.0.1:8080.evil.example", "http://127.0.0.1:8080/",
        "http://127.0.0.1", "file://", "127.0.0.1:8080", "HTTP://127.0.0.1:8080", " "}) {
    Request request = socket();
    request.origin = origin;
    EXPECT_EQ(ask(request), 403u) << origin;
    request = good();
    request.origin = origin;
    EXPECT_EQ(ask(request), 403u) << origin;
  }
  Request request = socket();
  request.origin = "";
  EXPECT_EQ(ask(request), 403u);
  request = socket();
  request.upgrade = false;
  EXPECT_EQ(ask(request), 426u);
}

// Names are only ever compared with the assets' names.
TEST(ViewerGate, NoPathIsAFileName) {
  const std::string page = "/" + std::string(kToken) + "/";
  for (const char* const path : {"../../../../etc/passwd",
                                 "..",
                                 ".",
                                 "./index.html",
                                 "/etc/passwd",
                                 "//",
                                 "/index.html",
                                 "%2e%2e/%2e%2e/etc/passwd",
                                 "..%2f..%2fetc%2fpasswd",
                                 "..\\..\\etc\\passwd",
                                 "index.html/",
                                 "index.html/../main.js",
                                 "main.j",
                                 "main.jsx",
                                 "MAIN.JS",
                                 "main%2ejs",
                                 "main.js%00.txt",
                                 "main.js;.txt",
                                 "assets",
                                 "study.json",
                                 "file:///etc/passwd",
                                 "http://evil.example/",
                                 "*"})
    EXPECT_EQ(ask_target(page + path), 404u) << path;
  EXPECT_EQ(ask_target(page + std::string("main.js\0", 8)), 404u);
  EXPECT_EQ(ask_target("http://127.0.0.1:8080" + page), 404u);
  EXPECT_EQ(ask_target("*"), 404u);
}

TEST(ViewerGate, OnlyGetAndGzip) {
  for (const char* method :
       {"POST", "HEAD", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "get", ""}) {
    Request request = good();
    request.method = method;
    EXPECT_EQ(ask(request), 405u) << method;
  }
  Request request = good();
  request.accept_encoding = "identity";
  EXPECT_EQ(ask(request), 406u);
}

TEST(ViewerGate, TokensAreLongAndDiffer) {
  std::set<std::string> tokens;
  std::set<char> letters;
  for (int i = 0; i < 200; ++i) {
    const std::string token = random_token();
    EXPECT_TRUE(is_token(token)) << token;
    EXPECT_EQ(token.size(), 32u);
    tokens.insert(token);
    letters.insert(token.begin(), token.end());
  }
  EXPECT_EQ(tokens.size(), 200u);
  EXPECT_EQ(letters.size(), 64u);  // 6400 letters: one is missing once in 10^42
  for (const char* text :
       {"", "short", "abcdefghijklmnopqrstuvwxyz_-012", "abcdefghijklmnopqrstuvwxyz_-012/",
        "abcdefghijklmnopqrstuvwxyz_-012 ", "../../../../../../../../../../../.."})
    EXPECT_FALSE(is_token(text)) << text;
}

TEST(ViewerGate, ThePolicyForbidsAllElse) {
  const std::string policy = content_security_policy("127.0.0.1:8080");
  EXPECT_TRUE(policy.starts_with("default-src 'none'; script-src 'self'; "));
  EXPECT_NE(policy.find("connect-src 'self' ws://127.0.0.1:8080;"), policy.npos);
  EXPECT_NE(policy.find("frame-ancestors 'none'"), policy.npos);
  EXPECT_TRUE(policy.ends_with("; require-trusted-types-for 'script'"));
  EXPECT_EQ(policy.find("unsafe"), policy.npos);
  EXPECT_EQ(policy.find_first_of("{}\n"), policy.npos);
  EXPECT_EQ(policy.find('*'), policy.npos);
}

}  // namespace
}  // namespace touche::viewer::gate_test
