// A client of the Tarneeb rules service.
#ifndef TARNEEB_CLIENT_H_
#define TARNEEB_CLIENT_H_

#include <grpcpp/channel.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "tarneeb/error.h"
#include "tarneeb/options.h"
#include "tarneeb/v1/tarneeb_service.grpc.pb.h"

namespace tarneeb {

// Holds one channel; keep one client for the whole program and share it between threads.
//
// The methods are those of tarneeb.v1.TarneebService. A call that fails throws Error.
class Client {
 public:
  // For one call, instead of the client's.
  using Deadline = std::optional<std::chrono::milliseconds>;

  // Nothing is sent yet.
  explicit Client(const std::string& target = "localhost:50051", const Options& options = {});

  v1::ListRuleSetsResponse ListRuleSets(const v1::ListRuleSetsRequest& request, Deadline deadline = {}) const;
  v1::ResolveRuleSetResponse ResolveRuleSet(const v1::ResolveRuleSetRequest& request, Deadline deadline = {}) const;
  v1::CreateGameResponse CreateGame(const v1::CreateGameRequest& request, Deadline deadline = {}) const;
  v1::DealHandResponse DealHand(const v1::DealHandRequest& request, Deadline deadline = {}) const;
  v1::ListLegalMovesResponse ListLegalMoves(const v1::ListLegalMovesRequest& request, Deadline deadline = {}) const;
  v1::ValidateMoveResponse ValidateMove(const v1::ValidateMoveRequest& request, Deadline deadline = {}) const;
  v1::ApplyMoveResponse ApplyMove(const v1::ApplyMoveRequest& request, Deadline deadline = {}) const;
  v1::UndoMoveResponse UndoMove(const v1::UndoMoveRequest& request, Deadline deadline = {}) const;
  v1::ValidateMovesResponse ValidateMoves(const v1::ValidateMovesRequest& request, Deadline deadline = {}) const;
  v1::ReplayGameResponse ReplayGame(const v1::ReplayGameRequest& request, Deadline deadline = {}) const;
  v1::ValidateGameResponse ValidateGame(const v1::ValidateGameRequest& request, Deadline deadline = {}) const;
  v1::ViewGameResponse ViewGame(const v1::ViewGameRequest& request, Deadline deadline = {}) const;
  v1::CommitDealResponse CommitDeal(const v1::CommitDealRequest& request, Deadline deadline = {}) const;
  v1::VerifyDealResponse VerifyDeal(const v1::VerifyDealRequest& request, Deadline deadline = {}) const;
  v1::ScoreHandResponse ScoreHand(const v1::ScoreHandRequest& request, Deadline deadline = {}) const;

  // A method by its name, with messages as bytes, for who passes them on.
  std::string CallWithBytes(const std::string& method, const std::string& request, Deadline deadline = {}) const;

  // For calls of another kind, as asynchronous ones: the channel has the retries and the balancing.
  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }
  // What each call carries: the deadline and the token.
  void Prepare(grpc::ClientContext* context, Deadline deadline = {}) const;

 private:
  std::chrono::milliseconds deadline_;
  std::string authorization_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::TarneebService::Stub> stub_;
};

}  // namespace tarneeb

#endif  // TARNEEB_CLIENT_H_
