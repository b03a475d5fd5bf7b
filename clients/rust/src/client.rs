//! The client: a call for each method of the contract.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout_at};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Code, Request, Response, Status};

use crate::errors::TarneebError;
use crate::options::Options;
use crate::raw;
use crate::replicas::Replicas;
use crate::v1;
use crate::v1::tarneeb_service_client::TarneebServiceClient;

const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Connections to all replicas of the service. Keep one for the whole program; clones share them.
#[derive(Clone)]
pub struct Client {
    replicas: Arc<Replicas>,
    token: Option<MetadataValue<Ascii>>,
    deadline: Duration,
    attempts: u32,
}

impl Client {
    /// Opens connections to `host:port`, inside a Tokio runtime; a target with a scheme is taken as it is.
    ///
    /// # Errors
    ///
    /// `InvalidArgument` when target, certificates or token are none.
    pub fn new(target: &str, options: &Options) -> Result<Self, TarneebError> {
        let token = options.token.as_ref().map(|token| format!("Bearer {token}").parse());
        let mut token: Option<MetadataValue<Ascii>> =
            token.transpose().map_err(|_| Status::invalid_argument("the token can't be sent in a header"))?;
        if let Some(token) = &mut token {
            token.set_sensitive(true);
        }
        let replicas = Replicas::new(target, options)
            .map_err(|error| Status::invalid_argument(format!("{target}: {error}")))?;
        Ok(Self {
            replicas: Arc::new(replicas),
            token,
            deadline: options.deadline,
            attempts: options.attempts,
        })
    }

    /// The same client with another deadline for each call.
    #[must_use]
    pub fn with_deadline(&self, deadline: Duration) -> Self {
        Self { deadline, ..self.clone() }
    }

    /// Calls a method by its name with messages as bytes, for who passes them on.
    ///
    /// # Errors
    ///
    /// The call failed.
    pub async fn call_with_bytes(&self, method: &str, request: Vec<u8>) -> Result<Vec<u8>, TarneebError> {
        let path: PathAndQuery = format!("/tarneeb.v1.TarneebService/{method}")
            .parse()
            .map_err(|_| Status::invalid_argument(format!("{method} is no method")))?;
        self.call(request, |channel, request| {
            let path = path.clone();
            async move {
                let mut client = tonic::client::Grpc::new(channel);
                let ready = client.ready().await;
                ready.map_err(|error| Status::from_error(error.into()))?;
                client.unary(request, path, raw::Bytes).await
            }
        })
        .await
    }

    /// Sends until it succeeds, fails for good, or time or attempts are over.
    async fn call<Q, A, F, S>(&self, request: Q, send: F) -> Result<A, TarneebError>
    where
        Q: Clone,
        F: Fn(Channel, Request<Q>) -> S,
        S: Future<Output = Result<Response<A>, Status>>,
    {
        let until = Instant::now() + self.deadline;
        let attempts = async {
            let (mut left, mut pause) = (self.attempts, FIRST_PAUSE);
            loop {
                let failed = match self.once(until, request.clone(), &send).await {
                    Ok(answer) => return Ok(answer),
                    Err(status) => status,
                };
                left = left.saturating_sub(1);
                if Instant::now() >= until {
                    // tonic calls its own end of time CANCELLED.
                    return Err(late());
                }
                if left == 0 || !passes(&failed) {
                    return Err(failed);
                }
                sleep(pause).await;
                pause = LONGEST_PAUSE.min(pause * 2);
            }
        };
        let answer = timeout_at(until, attempts).await;
        Ok(answer.unwrap_or_else(|_| Err(late()))?)
    }

    async fn once<Q, A, F, S>(&self, until: Instant, message: Q, send: &F) -> Result<A, Status>
    where
        F: Fn(Channel, Request<Q>) -> S,
        S: Future<Output = Result<Response<A>, Status>>,
    {
        let channel = self.replicas.next().await?;
        let mut request = Request::new(message);
        // The service stops work that nobody waits for.
        request.set_timeout(until.saturating_duration_since(Instant::now()));
        if let Some(token) = &self.token {
            request.metadata_mut().insert("authorization", token.clone());
        }
        match send(channel, request).await {
            Ok(answer) => Ok(answer.into_inner()),
            Err(status) => Err(as_grpc_says(status)),
        }
    }
}

fn late() -> Status {
    Status::deadline_exceeded("the deadline is over")
}

/// Every call may be repeated: the service keeps nothing between two calls. `CANCELLED` is what a server that stops
/// gives to calls it had not begun.
fn passes(status: &Status) -> bool {
    matches!(status.code(), Code::Unavailable | Code::Cancelled)
}

/// tonic calls a connection that broke `UNKNOWN` or `INTERNAL`; what the service says has no cause in here.
fn as_grpc_says(status: Status) -> Status {
    let broken = matches!(status.code(), Code::Unknown | Code::Internal)
        && std::error::Error::source(&status).is_some();
    if broken { Status::unavailable(status.message()) } else { status }
}

macro_rules! methods {
    ($($method:ident($request:ident) -> $response:ident;)*) => {
        /// The methods of the contract, where they are described. Each fails with a [`TarneebError`].
        #[allow(clippy::missing_errors_doc)]
        impl Client {
            $(
                pub async fn $method(&self, request: v1::$request) -> Result<v1::$response, TarneebError> {
                    self.call(request, |channel, request| async move {
                        TarneebServiceClient::new(channel).$method(request).await
                    })
                    .await
                }
            )*
        }
    };
}

methods! {
    list_rule_sets(ListRuleSetsRequest) -> ListRuleSetsResponse;
    resolve_rule_set(ResolveRuleSetRequest) -> ResolveRuleSetResponse;
    create_game(CreateGameRequest) -> CreateGameResponse;
    deal_hand(DealHandRequest) -> DealHandResponse;
    list_legal_moves(ListLegalMovesRequest) -> ListLegalMovesResponse;
    validate_move(ValidateMoveRequest) -> ValidateMoveResponse;
    apply_move(ApplyMoveRequest) -> ApplyMoveResponse;
    undo_move(UndoMoveRequest) -> UndoMoveResponse;
    validate_moves(ValidateMovesRequest) -> ValidateMovesResponse;
    replay_game(ReplayGameRequest) -> ReplayGameResponse;
    validate_game(ValidateGameRequest) -> ValidateGameResponse;
    view_game(ViewGameRequest) -> ViewGameResponse;
    commit_deal(CommitDealRequest) -> CommitDealResponse;
    verify_deal(VerifyDealRequest) -> VerifyDealResponse;
    score_hand(ScoreHandRequest) -> ScoreHandResponse;
}
