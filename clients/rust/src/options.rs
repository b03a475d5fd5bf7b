//! How a client reaches the service.

use std::time::Duration;

use tonic::transport::{Certificate, ClientTlsConfig, Identity};

/// What a client can be told.
#[derive(Clone, Debug)]
pub struct Options {
    /// For each call, retries included.
    pub deadline: Duration,
    /// Plain text without.
    pub tls: Option<Tls>,
    /// Sent as a bearer token with each call; without TLS whoever listens reads it.
    pub token: Option<String>,
    /// How often a call is sent in all, when it fails as `UNAVAILABLE` or `CANCELLED`; 1 turns retries off.
    pub attempts: u32,
    /// Ask each replica whether it serves before sending it calls.
    pub health_checks: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { deadline: Duration::from_secs(2), tls: None, token: None, attempts: 4, health_checks: true }
    }
}

/// TLS; all in PEM.
#[derive(Clone, Debug, Default)]
pub struct Tls {
    /// Those of the system when there are none.
    pub roots: Option<Vec<u8>>,
    /// Certificate and key, for mutual TLS.
    pub identity: Option<(Vec<u8>, Vec<u8>)>,
}

impl Tls {
    pub(crate) fn config(&self, host: &str) -> ClientTlsConfig {
        let mut config = ClientTlsConfig::new().domain_name(host);
        config = match &self.roots {
            Some(roots) => config.ca_certificate(Certificate::from_pem(roots)),
            None => config.with_native_roots(),
        };
        if let Some((certificate, key)) = &self.identity {
            config = config.identity(Identity::from_pem(certificate, key));
        }
        config
    }
}
