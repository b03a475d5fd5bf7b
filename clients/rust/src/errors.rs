//! A call that failed, with what the service says of it.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use prost::Message;
use tonic::{Code, Status};
use tonic_types::pb;
use tonic_types::pb::bad_request::FieldViolation;
use tonic_types::pb::{BadRequest, ErrorInfo, RetryInfo};

use crate::v1::ErrorReason;

const DOMAIN: &str = "tarneeb.v1.TarneebService";

/// One thing that is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Of the field, as `rule_set.preset_id`.
    pub path: String,
    /// A `ProblemReason` as text, so that newer ones have theirs too.
    pub reason: String,
    /// English.
    pub message: String,
}

/// A call failed; without details from the service, only code and message say how.
#[derive(Clone, Debug)]
pub struct TarneebError {
    pub code: Code,
    /// English.
    pub message: String,
    /// `Unspecified` where the service gave none, or one that is newer than this client.
    pub reason: ErrorReason,
    pub metadata: HashMap<String, String>,
    /// The first 32, in order.
    pub violations: Vec<Violation>,
    /// How long to wait before trying again.
    pub retry_after: Option<Duration>,
}

impl TarneebError {
    /// The reason without its prefix, as `INVALID_REQUEST`; `UNSPECIFIED` when there is none.
    #[must_use]
    pub fn reason_name(&self) -> &'static str {
        let name = self.reason.as_str_name();
        name.strip_prefix("ERROR_REASON_").unwrap_or(name)
    }

    /// The code as the gRPC specification writes it, as `INVALID_ARGUMENT`.
    #[must_use]
    pub fn code_name(&self) -> &'static str {
        match self.code {
            Code::Ok => "OK",
            Code::Cancelled => "CANCELLED",
            Code::Unknown => "UNKNOWN",
            Code::InvalidArgument => "INVALID_ARGUMENT",
            Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
            Code::NotFound => "NOT_FOUND",
            Code::AlreadyExists => "ALREADY_EXISTS",
            Code::PermissionDenied => "PERMISSION_DENIED",
            Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
            Code::FailedPrecondition => "FAILED_PRECONDITION",
            Code::Aborted => "ABORTED",
            Code::OutOfRange => "OUT_OF_RANGE",
            Code::Unimplemented => "UNIMPLEMENTED",
            Code::Internal => "INTERNAL",
            Code::Unavailable => "UNAVAILABLE",
            Code::DataLoss => "DATA_LOSS",
            Code::Unauthenticated => "UNAUTHENTICATED",
        }
    }

    /// How many problems there are in all; 0 where the service says nothing of problems.
    #[must_use]
    pub fn problems(&self) -> u32 {
        self.metadata.get("problems").and_then(|count| count.parse().ok()).unwrap_or(0)
    }

    fn read(&mut self, details: &pb::Status) {
        for detail in &details.details {
            let data = detail.value.as_slice();
            // A detail that can't be read is as good as none.
            let _ = match detail.type_url.rsplit('/').next() {
                Some("google.rpc.ErrorInfo") => ErrorInfo::decode(data).map(|info| self.read_info(info)),
                Some("google.rpc.BadRequest") => BadRequest::decode(data).map(|request| {
                    self.violations = request.field_violations.into_iter().map(violation).collect();
                }),
                Some("google.rpc.RetryInfo") => RetryInfo::decode(data).map(|retry| {
                    let delay = retry.retry_delay;
                    self.retry_after = delay.and_then(|delay| Duration::try_from(delay).ok());
                }),
                _ => Ok(()),
            };
        }
    }

    fn read_info(&mut self, info: ErrorInfo) {
        if info.domain == DOMAIN {
            let name = format!("ERROR_REASON_{}", info.reason);
            self.reason = ErrorReason::from_str_name(&name).unwrap_or_default();
            self.metadata = info.metadata;
        }
    }
}

fn violation(found: FieldViolation) -> Violation {
    Violation { path: found.field, reason: found.reason, message: found.description }
}

impl From<Status> for TarneebError {
    fn from(status: Status) -> Self {
        let mut error = Self {
            code: status.code(),
            message: status.message().to_owned(),
            reason: ErrorReason::Unspecified,
            metadata: HashMap::new(),
            violations: Vec::new(),
            retry_after: None,
        };
        // Bytes that are no status were put there by something between us and the service.
        if let Ok(details) = pb::Status::decode(status.details()) {
            error.read(&details);
        }
        error
    }
}

impl fmt::Display for TarneebError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.code_name(), self.message)
    }
}

impl std::error::Error for TarneebError {}
