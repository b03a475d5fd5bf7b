#include "tarneeb/client.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/byte_buffer.h>

#include <future>
#include <string_view>

namespace tarneeb {
namespace {

using Stub = v1::TarneebService::Stub;

template <class Request, class Response>
using Method = grpc::Status (Stub::*)(grpc::ClientContext*, const Request&, Response*);

template <class Request, class Response>
Response Call(const Client& client, Stub& stub, Method<Request, Response> method, const Request& request,
              Client::Deadline deadline) {
  grpc::ClientContext context;
  client.Prepare(&context, deadline);
  Response response;
  const grpc::Status status = (stub.*method)(&context, request, &response);
  if (!status.ok()) throw Error(status);
  return response;
}

std::shared_ptr<grpc::ChannelCredentials> Credentials(const std::optional<Tls>& tls) {
  if (!tls) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions files;
  files.pem_root_certs = tls->roots;
  files.pem_private_key = tls->key;
  files.pem_cert_chain = tls->certificate;
  return grpc::SslCredentials(files);
}

std::shared_ptr<grpc::Channel> Open(const std::string& target, const Options& options) {
  grpc::ChannelArguments arguments = options.channel;
  arguments.SetServiceConfigJSON(options.service_config);
  return grpc::CreateCustomChannel(FullTarget(target), Credentials(options.tls), arguments);
}

}  // namespace

std::string FullTarget(const std::string& target) {
  for (const std::string_view scheme : {"unix:", "ipv4:", "ipv6:"})
    if (target.rfind(scheme, 0) == 0) return target;
  return target.find("://") == std::string::npos ? "dns:///" + target : target;
}

Client::Client(const std::string& target, const Options& options)
    : deadline_(options.deadline),
      authorization_(options.token.empty() ? "" : "Bearer " + options.token),
      channel_(Open(target, options)),
      stub_(v1::TarneebService::NewStub(channel_)) {}

v1::ListRuleSetsResponse Client::ListRuleSets(const v1::ListRuleSetsRequest& request, Deadline deadline) const {
  return Call(*this, *stub_, &Stub::ListRuleSets, request, deadline);
}

v1::ResolveRuleSetResponse Client::ResolveRuleSet(const v1::ResolveRuleSetRequest& request, Deadline deadline) const {
  return Call(*this, *stub_, &Stub::ResolveRuleSet, request, deadline);
}

v1::CreateGameResponse Client::CreateGame(const v1::CreateGameRequest& request, Deadline deadline) const {
  return Call(*this, *stub_, &Stub::CreateGame, request, deadline);
}

v1::DealHandResponse Client::DealHand(const v1::DealHandRequest& request, Deadline deadline) const {
  return Call(*this, *stub_, &Stub::DealHand, request, deadline);
}

v1::ListLegalMovesResponse Client::ListLegalMoves(const v1::ListLegalMovesRequest& request, Deadline deadline) const {
  return Call(*this, *stub_, &Stub::ListLegalMoves, request, deadline);
}

v1::ValidateMoveResponse Client::ValidateMove(const v1::ValidateMoveRequest& request, Deadline deadline) const {
  return Call(*this, *stub_, &Stub::ValidateMove, request, deadline);
}

v1::ApplyMoveResponse Client::ApplyMove(const v1::ApplyMoveRequest& request, Deadline deadline) const {
  return Call(*this, *stub_, &Stub::ApplyMove, request, deadline);
}

v1::UndoMoveResponse Client::UndoMove(const v1::UndoMoveRequest& request, Deadline deadline) const {
  return Call(*this, *stub_, &Stub::UndoMove, request, deadline);
}

v1::ValidateMovesResponse Client::ValidateMoves(const v1::ValidateMovesRequest& request, Deadline deadline) const {
  return Call(*this, *stub_, &Stub::ValidateMoves, request, deadline);
}

v1::ReplayGameResponse Client::ReplayGame(const v1::ReplayGameRequest& request, Deadline deadline) const {
  return Call(*this, *stub_, &Stub::ReplayGame, request, deadline);
}

v1::ValidateGameResponse Client::ValidateGame(const v1::ValidateGameRequest& request, Deadline deadline) const {
  return Call(*this, *stub_, &Stub::ValidateGame, request, deadline);
}

v1::ViewGameResponse Client::ViewGame(const v1::ViewGameRequest& request, Deadline deadline) const {
  return Call(*this, *stub_, &Stub::ViewGame, request, deadline);
}

v1::CommitDealResponse Client::CommitDeal(const v1::CommitDealRequest& request, Deadline deadline) const {
  return Call(*this, *stub_, &Stub::CommitDeal, request, deadline);
}

v1::VerifyDealResponse Client::VerifyDeal(const v1::VerifyDealRequest& request, Deadline deadline) const {
  return Call(*this, *stub_, &Stub::VerifyDeal, request, deadline);
}

v1::ScoreHandResponse Client::ScoreHand(const v1::ScoreHandRequest& request, Deadline deadline) const {
  return Call(*this, *stub_, &Stub::ScoreHand, request, deadline);
}

std::string Client::CallWithBytes(const std::string& method, const std::string& request, Deadline deadline) const {
  grpc::ClientContext context;
  Prepare(&context, deadline);
  const grpc::Slice sent(request);
  const grpc::ByteBuffer asked(&sent, 1);
  grpc::ByteBuffer answer;
  std::promise<grpc::Status> ended;
  // A generic stub has no call that waits.
  grpc::GenericStub(channel_).UnaryCall(&context, "/tarneeb.v1.TarneebService/" + method, grpc::StubOptions(), &asked,
                                        &answer, [&ended](const grpc::Status& status) { ended.set_value(status); });
  const grpc::Status status = ended.get_future().get();
  if (!status.ok()) throw Error(status);
  std::vector<grpc::Slice> slices;
  if (!answer.Dump(&slices).ok()) throw Error({grpc::StatusCode::INTERNAL, "the answer can't be read"});
  std::string bytes;
  for (const grpc::Slice& slice : slices) bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return bytes;
}

void Client::Prepare(grpc::ClientContext* context, Deadline deadline) const {
  context->set_deadline(std::chrono::system_clock::now() + deadline.value_or(deadline_));
  if (!authorization_.empty()) context->AddMetadata("authorization", authorization_);
}

}  // namespace tarneeb
