// A call that failed, with what the service says of it.
#ifndef TARNEEB_ERROR_H_
#define TARNEEB_ERROR_H_

#include <grpcpp/support/status.h>

#include <chrono>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tarneeb/v1/errors.pb.h"

namespace tarneeb {

// One thing that is wrong with a request.
struct Violation {
  std::string path;
  std::string reason;
  std::string message;
};

// Without details from the service, as when gRPC itself failed, only code and message say how.
class Error : public std::runtime_error {
 public:
  explicit Error(const grpc::Status& status);

  grpc::StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }
  // UNSPECIFIED when there is none, or one that this client does not know.
  v1::ErrorReason reason() const { return reason_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const std::vector<Violation>& violations() const { return violations_; }
  // How many there are in all; `violations` has the first 32.
  int problems() const;
  std::optional<std::chrono::nanoseconds> retry_after() const { return retry_after_; }

  // The names without their prefixes, as `INVALID_ARGUMENT` and `INVALID_REQUEST`.
  std::string code_name() const;
  std::string reason_name() const;

 private:
  void Read(const std::string& details);

  grpc::StatusCode code_;
  std::string message_;
  v1::ErrorReason reason_ = v1::ERROR_REASON_UNSPECIFIED;
  std::map<std::string, std::string> metadata_;
  std::vector<Violation> violations_;
  std::optional<std::chrono::nanoseconds> retry_after_;
};

}  // namespace tarneeb

#endif  // TARNEEB_ERROR_H_
