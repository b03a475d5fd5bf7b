//! What a failed call says, from the bytes that came with it.

use std::collections::HashMap;
use std::time::Duration;

use prost::Message;
use tarneeb::v1::ErrorReason;
use tarneeb::{Code, TarneebError};
use tonic::{Status, metadata::MetadataMap};
use tonic_types::{ErrorDetails, StatusExt};

fn details(domain: &str, reason: &str) -> ErrorDetails {
    let metadata = HashMap::from([("problems".to_owned(), "40".to_owned())]);
    let mut details = ErrorDetails::with_error_info(reason, domain, metadata);
    details
        .add_bad_request_violation("rule_set.preset_id", "No such preset.")
        .set_retry_info(Some(Duration::from_millis(1500)));
    details
}

fn error(domain: &str, reason: &str) -> TarneebError {
    Status::with_error_details(Code::InvalidArgument, "wrong", details(domain, reason)).into()
}

#[test]
fn all_details_are_read() {
    let error = error("tarneeb.v1.TarneebService", "INVALID_REQUEST");
    assert_eq!(error.reason, ErrorReason::InvalidRequest);
    assert_eq!(error.reason_name(), "INVALID_REQUEST");
    assert_eq!(error.problems(), 40);
    assert_eq!(error.violations[0].path, "rule_set.preset_id");
    assert_eq!(error.violations[0].message, "No such preset.");
    assert_eq!(error.retry_after, Some(Duration::from_millis(1500)));
    assert_eq!(error.to_string(), "INVALID_ARGUMENT: wrong");
}

#[test]
fn a_reason_of_another_domain_is_not_the_services() {
    let error = error("proxy.example", "INVALID_REQUEST");
    assert_eq!(error.reason, ErrorReason::Unspecified);
    assert_eq!(error.problems(), 0);
    assert_eq!(error.violations.len(), 1);
}

#[test]
fn a_newer_reason_is_unspecified_and_keeps_its_metadata() {
    let error = error("tarneeb.v1.TarneebService", "NOT_YET_KNOWN");
    assert_eq!(error.reason_name(), "UNSPECIFIED");
    assert_eq!(error.problems(), 40);
}

#[test]
fn the_reason_of_a_violation_is_text() {
    let violation = tonic_types::pb::bad_request::FieldViolation {
        field: "id".into(),
        reason: "MISSING".into(),
        ..Default::default()
    };
    let request = tonic_types::pb::BadRequest { field_violations: vec![violation] };
    let mut status = tonic_types::pb::Status::default();
    status.details.resize_with(1, Default::default);
    status.details[0].type_url = "type.googleapis.com/google.rpc.BadRequest".into();
    status.details[0].value = request.encode_to_vec();
    let bytes = status.encode_to_vec().into();
    let error = TarneebError::from(Status::with_details(Code::InvalidArgument, "wrong", bytes));
    assert_eq!(error.violations[0].reason, "MISSING");
}

#[test]
fn bytes_that_are_no_details_leave_code_and_message() {
    let bytes = b"\xff\xff".as_slice().into();
    let status = Status::with_details_and_metadata(Code::Unavailable, "away", bytes, MetadataMap::new());
    let error = TarneebError::from(status);
    assert_eq!(error.code, Code::Unavailable);
    assert_eq!(error.message, "away");
    assert!(error.violations.is_empty() && error.metadata.is_empty() && error.retry_after.is_none());
}
