#include "tarneeb/error.h"

#include <array>
#include <charconv>
#include <string_view>

#include "tarneeb_details.pb.h"

namespace tarneeb {
namespace {

constexpr std::string_view kDomain = "tarneeb.v1.TarneebService";
constexpr std::string_view kReasonPrefix = "ERROR_REASON_";
constexpr std::array<const char*, 17> kCodes = {
    "OK",        "CANCELLED",       "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS",  "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",    "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED",
};

std::string NameOf(grpc::StatusCode code) {
  const auto number = static_cast<size_t>(code);
  return number < kCodes.size() ? kCodes[number] : std::to_string(number);
}

// Any::UnpackTo goes by the name of the type, and ours has another.
template <class Message>
bool Unpack(const google::protobuf::Any& any, std::string_view name, Message* message) {
  const std::string_view url = any.type_url();
  return url.substr(url.rfind('/') + 1) == name && message->ParseFromString(any.value());
}

}  // namespace

Error::Error(const grpc::Status& status)
    : std::runtime_error(NameOf(status.error_code()) + ": " + status.error_message()),
      code_(status.error_code()),
      message_(status.error_message()) {
  Read(status.error_details());
}

int Error::problems() const {
  const auto found = metadata_.find("problems");
  int count = 0;
  if (found != metadata_.end())
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), count);
  return count;
}

std::string Error::code_name() const { return NameOf(code_); }

std::string Error::reason_name() const { return v1::ErrorReason_Name(reason_).substr(kReasonPrefix.size()); }

void Error::Read(const std::string& details) {
  details::Status status;
  // Something between us and the service may have put other bytes there.
  if (!status.ParseFromString(details)) return;
  for (const google::protobuf::Any& detail : status.details()) {
    details::ErrorInfo info;
    details::BadRequest bad_request;
    details::RetryInfo retry;
    if (Unpack(detail, "google.rpc.ErrorInfo", &info) && info.domain() == kDomain) {
      metadata_ = {info.metadata().begin(), info.metadata().end()};
      v1::ErrorReason_Parse(std::string(kReasonPrefix) + info.reason(), &reason_);
    } else if (Unpack(detail, "google.rpc.BadRequest", &bad_request)) {
      for (const details::FieldViolation& each : bad_request.field_violations())
        violations_.push_back({each.field(), each.reason(), each.description()});
    } else if (Unpack(detail, "google.rpc.RetryInfo", &retry)) {
      retry_after_ =
          std::chrono::seconds(retry.retry_delay().seconds()) + std::chrono::nanoseconds(retry.retry_delay().nanos());
    }
  }
}

}  // namespace tarneeb
