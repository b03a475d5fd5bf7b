// The client against servers that fail on purpose.

#include "tarneeb/client.h"

#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

namespace tarneeb {
namespace {

using grpc::StatusCode;

// Fails a number of times, then answers.
class Replica : public v1::TarneebService::Service {
 public:
  Replica() {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
  }

  grpc::Status ListRuleSets(grpc::ServerContext* context, const v1::ListRuleSetsRequest* /*request*/,
                            v1::ListRuleSetsResponse* response) override {
    ++calls_;
    std::this_thread::sleep_for(pause_.load());
    const auto found = context->client_metadata().find("authorization");
    if (found != context->client_metadata().end())
      response->add_rule_sets()->set_title({found->second.data(), found->second.size()});
    return failures_-- > 0 ? grpc::Status(code_.load(), "on purpose") : grpc::Status::OK;
  }

  void Fail(int times, StatusCode code) {
    code_ = code;
    failures_ = times;
  }
  void Pause(std::chrono::milliseconds pause) { pause_ = pause; }
  void SetServing(bool serving) const { server_->GetHealthCheckService()->SetServingStatus(serving); }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  int calls() const { return calls_; }

 private:
  int port_ = 0;
  std::atomic<int> calls_ = 0;
  std::atomic<int> failures_ = 0;
  std::atomic<StatusCode> code_ = StatusCode::UNAVAILABLE;
  std::atomic<std::chrono::milliseconds> pause_{};
  std::unique_ptr<grpc::Server> server_;
};

// A busy machine changes nothing.
Options Patient() {
  Options options;
  options.deadline = std::chrono::seconds(30);
  return options;
}

class Calls : public testing::TestWithParam<StatusCode> {};

TEST_P(Calls, AreRepeatedUpToFourTimes) {
  Replica replica;
  const Client client(replica.address(), Patient());
  replica.Fail(3, GetParam());
  EXPECT_NO_THROW(client.ListRuleSets({}));
  EXPECT_EQ(replica.calls(), 4);
  replica.Fail(4, GetParam());
  EXPECT_THROW(client.ListRuleSets({}), Error);
  EXPECT_EQ(replica.calls(), 8);
}

INSTANTIATE_TEST_SUITE_P(ThatMayBe, Calls, testing::Values(StatusCode::UNAVAILABLE, StatusCode::CANCELLED));

TEST(Client, RepeatsNothingElse) {
  Replica replica;
  replica.Fail(1, StatusCode::RESOURCE_EXHAUSTED);
  const Client client(replica.address(), Patient());
  EXPECT_THROW(client.ListRuleSets({}), Error);
  EXPECT_EQ(replica.calls(), 1);
}

TEST(Client, RepeatsCallsWithBytesToo) {
  Replica replica;
  replica.Fail(1, StatusCode::UNAVAILABLE);
  const Client client(replica.address(), Patient());
  EXPECT_EQ(client.CallWithBytes("ListRuleSets", ""), "");
  EXPECT_EQ(replica.calls(), 2);
}

TEST(Client, EndsACallAtItsDeadline) {
  Replica replica;
  replica.Pause(std::chrono::milliseconds(400));
  const Client client(replica.address(), Patient());
  try {
    client.ListRuleSets({}, std::chrono::milliseconds(100));
    FAIL() << "it came in time";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), StatusCode::DEADLINE_EXCEEDED);
  }
}

TEST(Client, SendsItsToken) {
  const Replica replica;
  Options options = Patient();
  options.token = "a-token";
  const Client client(replica.address(), options);
  EXPECT_EQ(client.ListRuleSets({}).rule_sets(0).title(), "Bearer a-token");
}

TEST(Client, GoesRoundTheReplicasThatServe) {
  const Replica one;
  const Replica other;
  const Replica stopping;
  stopping.SetServing(false);
  const Client client("ipv4:" + one.address() + ',' + other.address() + ',' + stopping.address(), Patient());
  // The first calls may all go to the replica that is connected first.
  for (int call = 0; call < 200 && (one.calls() == 0 || other.calls() == 0); ++call) {
    client.ListRuleSets({});
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_GT(one.calls(), 0);
  EXPECT_GT(other.calls(), 0);
  EXPECT_EQ(stopping.calls(), 0);
}

}  // namespace
}  // namespace tarneeb
