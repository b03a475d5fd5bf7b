#include "tarneeb/error.h"

#include <gtest/gtest.h>

#include "tarneeb_details.pb.h"

namespace tarneeb {
namespace {

class Details {
 public:
  template <class Message>
  Details& Add(const std::string& name, const Message& message) {
    google::protobuf::Any* detail = status_.add_details();
    detail->set_type_url("type.googleapis.com/google.rpc." + name);
    detail->set_value(message.SerializeAsString());
    return *this;
  }

  Error Made() const { return Error({grpc::StatusCode::UNAVAILABLE, "wait", status_.SerializeAsString()}); }

 private:
  details::Status status_;
};

details::ErrorInfo Info(const std::string& reason, const std::string& domain = "tarneeb.v1.TarneebService") {
  details::ErrorInfo info;
  info.set_reason(reason);
  info.set_domain(domain);
  (*info.mutable_metadata())["problems"] = "40";
  return info;
}

TEST(Error, ReadsAllDetails) {
  details::BadRequest bad_request;
  for (const char* path : {"id", "game.hand.dealt[2]"}) {
    details::FieldViolation* violation = bad_request.add_field_violations();
    violation->set_field(path);
    violation->set_reason("MISSING");
    violation->set_description("Set it.");
  }
  details::RetryInfo retry;
  retry.mutable_retry_delay()->set_seconds(1);
  retry.mutable_retry_delay()->set_nanos(500000000);
  const Error error =
      Details().Add("ErrorInfo", Info("OVERLOADED")).Add("BadRequest", bad_request).Add("RetryInfo", retry).Made();
  EXPECT_EQ(error.code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_STREQ(error.what(), "UNAVAILABLE: wait");
  EXPECT_EQ(error.reason(), v1::ERROR_REASON_OVERLOADED);
  EXPECT_EQ(error.reason_name(), "OVERLOADED");
  EXPECT_EQ(error.problems(), 40);
  ASSERT_EQ(error.violations().size(), 2U);
  EXPECT_EQ(error.violations()[1].path, "game.hand.dealt[2]");
  EXPECT_EQ(error.violations()[1].reason, "MISSING");
  EXPECT_EQ(error.violations()[1].message, "Set it.");
  EXPECT_EQ(error.retry_after(), std::chrono::milliseconds(1500));
}

TEST(Error, KnowsNoReasonOfALaterRelease) {
  const Error error = Details().Add("ErrorInfo", Info("FROM_TOMORROW")).Made();
  EXPECT_EQ(error.reason_name(), "UNSPECIFIED");
  EXPECT_EQ(error.metadata().size(), 1U);
}

TEST(Error, LeavesWhatIsOfAnotherDomain) {
  const Error error = Details().Add("ErrorInfo", Info("OVERLOADED", "proxy.example")).Made();
  EXPECT_EQ(error.reason(), v1::ERROR_REASON_UNSPECIFIED);
  EXPECT_EQ(error.problems(), 0);
}

TEST(Error, StandsWithoutDetailsAndWithStrangeOnes) {
  for (const char* bytes : {"", "\xff\xff"}) {
    const Error error({grpc::StatusCode::CANCELLED, "gone", bytes});
    EXPECT_EQ(error.code_name(), "CANCELLED");
    EXPECT_EQ(error.message(), "gone");
    EXPECT_TRUE(error.violations().empty());
    EXPECT_FALSE(error.retry_after());
  }
}

}  // namespace
}  // namespace tarneeb
