#include "vectors.h"

#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>

#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

#include "files.pb.h"

namespace program::vectors {
namespace {

using google::protobuf::Message;
using tarneeb::Client;
using tarneeb::program::Failure;
using tarneeb::program::Vector;

// A method of the client behind messages as bytes.
struct Method {
  std::unique_ptr<Message> response;
  std::function<std::unique_ptr<Message>(const Client&, const std::string&)> call;
};

template <class Request, class Response>
Method MethodOf(Response (Client::*method)(const Request&, Client::Deadline) const) {
  return {std::make_unique<Response>(), [method](const Client& client, const std::string& bytes) {
            Request request;
            if (!request.ParseFromString(bytes)) throw std::runtime_error("the vector's request can't be parsed");
            return std::make_unique<Response>((client.*method)(request, {}));
          }};
}

std::map<std::string, Method> Methods() {
  std::map<std::string, Method> methods;
  methods["ListRuleSets"] = MethodOf(&Client::ListRuleSets);
  methods["ResolveRuleSet"] = MethodOf(&Client::ResolveRuleSet);
  methods["CreateGame"] = MethodOf(&Client::CreateGame);
  methods["DealHand"] = MethodOf(&Client::DealHand);
  methods["ListLegalMoves"] = MethodOf(&Client::ListLegalMoves);
  methods["ValidateMove"] = MethodOf(&Client::ValidateMove);
  methods["ApplyMove"] = MethodOf(&Client::ApplyMove);
  methods["UndoMove"] = MethodOf(&Client::UndoMove);
  methods["ValidateMoves"] = MethodOf(&Client::ValidateMoves);
  methods["ReplayGame"] = MethodOf(&Client::ReplayGame);
  methods["ValidateGame"] = MethodOf(&Client::ValidateGame);
  methods["ViewGame"] = MethodOf(&Client::ViewGame);
  methods["CommitDeal"] = MethodOf(&Client::CommitDeal);
  methods["VerifyDeal"] = MethodOf(&Client::VerifyDeal);
  methods["ScoreHand"] = MethodOf(&Client::ScoreHand);
  return methods;
}

std::unique_ptr<Message> Parsed(const Message& kind, const std::string& bytes) {
  std::unique_ptr<Message> message(kind.New());
  if (!message->ParseFromString(bytes)) throw std::runtime_error("bytes that are no " + kind.GetTypeName());
  return message;
}

Failure FailureOf(const tarneeb::Error& error) {
  Failure failure;
  failure.set_code(error.code_name());
  failure.set_reason(error.reason_name());
  failure.set_problems(error.problems());
  std::set<std::pair<std::string, std::string>> violations;
  for (const tarneeb::Violation& each : error.violations()) violations.emplace(each.path, each.reason);
  for (const auto& [path, reason] : violations) {
    google::protobuf::ListValue* pair = failure.add_violations();
    pair->add_values()->set_string_value(path);
    pair->add_values()->set_string_value(reason);
  }
  return failure;
}

// What differs of two messages; empty when nothing does.
std::string DifferenceOf(const Message& wanted, const Message& got) {
  google::protobuf::util::MessageDifferencer differencer;
  std::string report;
  differencer.ReportDifferencesToString(&report);
  return differencer.Compare(wanted, got) ? "" : "differs:\n" + report;
}

// What is wrong with the answer to a vector; empty when nothing is.
std::string Difference(const Client& client, const Method& method, const Vector& vector) {
  try {
    const std::unique_ptr<Message> answer =
        vector.raw() ? Parsed(*method.response, client.CallWithBytes(vector.rpc(), vector.request()))
                     : method.call(client, vector.request());
    if (vector.has_status()) return "expected " + vector.status().ShortDebugString() + ", got an answer";
    return DifferenceOf(*Parsed(*method.response, vector.response()), *answer);
  } catch (const tarneeb::Error& error) {
    if (!vector.has_status()) return std::string("expected an answer, got ") + error.what();
    return DifferenceOf(vector.status(), FailureOf(error));
  }
}

Vector Read(const std::string& line) {
  Vector vector;
  const auto status = google::protobuf::util::JsonStringToMessage(line, &vector);
  if (!status.ok()) throw std::runtime_error("a vector that can't be read: " + status.ToString());
  return vector;
}

bool Passes(const Client& client, const Method& method, const Vector& vector) {
  const int times = vector.has_repeat() ? vector.repeat() : 1;
  for (int time = 0; time < times; ++time) {
    const std::string difference = Difference(client, method, vector);
    if (difference.empty()) continue;
    std::cerr << vector.id() << ": " << difference << '\n';
    return false;
  }
  return true;
}

}  // namespace

Count Run(const Client& client, const std::string& folder) {
  const std::string path = folder + "/vectors.jsonl";
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("can't read " + path);
  const std::map<std::string, Method> methods = Methods();
  Count count;
  for (std::string line; std::getline(file, line); ++count.total) {
    const Vector vector = Read(line);
    if (Passes(client, methods.at(vector.rpc()), vector)) ++count.passed;
  }
  return count;
}

}  // namespace program::vectors
