//! Deadlines and retries, against addresses of this machine where nobody answers as the service would.

use std::time::{Duration, Instant};

use tarneeb::v1::ListRuleSetsRequest;
use tarneeb::{Client, Code, Options, Tls};
use tokio::net::TcpListener;

/// Whoever connects hears nothing.
async fn silent() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let target = listener.local_addr().expect("an address").to_string();
    (listener, target)
}

#[tokio::test]
async fn a_call_that_nobody_answers_ends_at_its_deadline() {
    for health_checks in [true, false] {
        let (_listener, target) = silent().await;
        let options = Options { health_checks, ..Options::default() };
        let client = Client::new(&target, &options).expect("a client");
        let began = Instant::now();
        let client = client.with_deadline(Duration::from_millis(300));
        let error = client.list_rule_sets(ListRuleSetsRequest::default()).await.expect_err("no answer");
        assert_eq!(error.code, Code::DeadlineExceeded);
        assert!(began.elapsed() >= Duration::from_millis(300));
        assert!(began.elapsed() < Duration::from_secs(2));
    }
}

#[tokio::test]
async fn a_service_that_is_away_is_tried_four_times() {
    for health_checks in [true, false] {
        let (listener, target) = silent().await;
        drop(listener);
        let options = Options { health_checks, ..Options::default() };
        let client = Client::new(&target, &options).expect("a client");
        let began = Instant::now();
        let error = client.list_rule_sets(ListRuleSetsRequest::default()).await.expect_err("nobody there");
        assert_eq!(error.code, Code::Unavailable);
        // The pauses: 50, 100 and 200 ms.
        assert!(began.elapsed() >= Duration::from_millis(350));
        assert!(began.elapsed() < Duration::from_secs(2));
    }
}

#[tokio::test]
async fn what_can_not_be_used_is_refused_at_once() {
    let bad_token = Options { token: Some("two\nlines".into()), ..Options::default() };
    let bad_roots = Options {
        tls: Some(Tls { identity: Some((b"none".into(), b"none".into())), ..Tls::default() }),
        ..Options::default()
    };
    for (target, options) in [("a b", Options::default()), ("a:1", bad_token), ("a:1", bad_roots)] {
        let error = Client::new(target, &options).err().expect("refused");
        assert_eq!(error.code, Code::InvalidArgument);
    }
}

#[tokio::test]
async fn clients_and_calls_go_to_other_threads() {
    fn goes<T: Send + 'static>(_: T) {}
    let client = Client::new("localhost:1", &Options::default()).expect("a client");
    goes(client.clone());
    goes(async move { client.list_rule_sets(ListRuleSetsRequest::default()).await });
}
