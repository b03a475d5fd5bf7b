//! The replicas behind a name, in turn, those that say that they serve.
//!
//! tonic resolves a name to one connection, and knows no health checks; here is what other clients leave to their
//! gRPC library.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::net::lookup_host;
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinHandle, JoinSet};
use tokio::time::sleep;
use tonic::transport::{Channel, Endpoint, Error, Uri};
use tonic::{Code, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::options::{Options, Tls};

/// New replicas are found within this.
const RESOLVE_EVERY: Duration = Duration::from_secs(10);
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// Before a replica that failed is asked again.
const PAUSE: Duration = Duration::from_secs(1);

/// All that is known; calls wait until it is enough to say whether anybody serves.
#[derive(Default)]
struct Known {
    replicas: BTreeMap<String, Replica>,
    resolved: bool,
    trouble: String,
}

struct Replica {
    channel: Channel,
    /// Not known before the first answer.
    serves: Option<bool>,
}

pub(crate) struct Replicas {
    known: watch::Receiver<Known>,
    turn: AtomicUsize,
    keeper: JoinHandle<()>,
}

impl Replicas {
    pub(crate) fn new(target: &str, options: &Options) -> Result<Self, Error> {
        let place = Place::new(target, options.tls.clone());
        // What is wrong with target or certificates shows now, not with the first call.
        place.endpoint(&place.authority)?;
        let (known, seen) = watch::channel(Known::default());
        Ok(Self {
            known: seen,
            turn: AtomicUsize::new(0),
            keeper: tokio::spawn(keep(place, options.health_checks, Arc::new(known))),
        })
    }

    /// The next one that serves.
    pub(crate) async fn next(&self) -> Result<Channel, Status> {
        let mut known = self.known.clone();
        let known =
            known.wait_for(Known::settled).await.map_err(|_| Status::unavailable("the client was closed"))?;
        let serving: Vec<_> = known.serving().collect();
        if serving.is_empty() {
            let trouble = format!("no replica serves: {}", known.trouble);
            return Err(Status::unavailable(trouble));
        }
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        Ok(serving[turn % serving.len()].clone())
    }
}

impl Drop for Replicas {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

impl Known {
    fn serving(&self) -> impl Iterator<Item = &Channel> {
        let replicas = self.replicas.values();
        replicas.filter_map(|replica| (replica.serves == Some(true)).then_some(&replica.channel))
    }

    fn settled(&self) -> bool {
        let all_answered = || self.replicas.values().all(|each| each.serves.is_some());
        self.resolved && (self.serving().next().is_some() || all_answered())
    }

    fn set(&mut self, address: &str, serves: bool, trouble: String) {
        if let Some(replica) = self.replicas.get_mut(address) {
            replica.serves = Some(serves);
        }
        self.trouble = trouble;
    }
}

/// Where the service is: a name to be resolved, or an address that is taken as it is.
struct Place {
    scheme: String,
    authority: String,
    named: bool,
    tls: Option<Tls>,
}

impl Place {
    fn new(target: &str, tls: Option<Tls>) -> Self {
        let (scheme, authority) = match target.split_once("://") {
            None | Some(("dns", _)) => (None, target.trim_start_matches("dns:///")),
            Some((scheme, rest)) => (Some(scheme), rest),
        };
        let usual = if tls.is_some() { "https" } else { "http" };
        Self {
            scheme: scheme.unwrap_or(usual).to_owned(),
            authority: authority.to_owned(),
            named: scheme.is_none(),
            tls,
        }
    }

    /// One replica, which is called by the name and not by its address.
    fn endpoint(&self, address: &str) -> Result<Endpoint, Error> {
        let endpoint =
            Endpoint::from_shared(format!("{}://{address}", self.scheme))?.connect_timeout(CONNECT_WITHIN);
        let name = format!("{}://{}", self.scheme, self.authority).parse::<Uri>();
        let Ok(name) = name.map_err(|_| ()).and_then(|uri| uri.host().is_some().then_some(uri).ok_or(()))
        else {
            return Ok(endpoint);
        };
        let host = name.host().unwrap_or_default().to_owned();
        let endpoint = endpoint.origin(name);
        match &self.tls {
            Some(tls) => endpoint.tls_config(tls.config(&host)),
            None => Ok(endpoint),
        }
    }

    async fn addresses(&self) -> std::io::Result<BTreeSet<String>> {
        if !self.named {
            return Ok(BTreeSet::from([self.authority.clone()]));
        }
        let found = lookup_host(&self.authority).await?;
        Ok(found.map(|address| address.to_string()).collect())
    }
}

/// Resolves the name again and again, and watches the health of each replica.
async fn keep(place: Place, health_checks: bool, known: Arc<watch::Sender<Known>>) {
    let mut watches = JoinSet::new();
    let mut watched = BTreeMap::<String, AbortHandle>::new();
    loop {
        let resolved = place.addresses().await;
        let wait = if resolved.is_ok() { RESOLVE_EVERY } else { PAUSE };
        match resolved {
            // Those that are known may serve all the same.
            Err(error) => known.send_modify(|known| known.trouble = error.to_string()),
            Ok(addresses) => {
                watched.retain(|address, watch| {
                    let stays = addresses.contains(address);
                    if !stays {
                        watch.abort();
                        known.send_modify(|known| drop(known.replicas.remove(address)));
                    }
                    stays
                });
                for address in addresses {
                    if watched.contains_key(&address) {
                        continue;
                    }
                    let Ok(endpoint) = place.endpoint(&address) else { continue };
                    let channel = endpoint.connect_lazy();
                    let serves = (!health_checks).then_some(true);
                    let replica = Replica { channel: channel.clone(), serves };
                    known.send_modify(|known| drop(known.replicas.insert(address.clone(), replica)));
                    let watch = watch_health(health_checks, channel, address.clone(), known.clone());
                    watched.insert(address, watches.spawn(watch));
                }
            }
        }
        known.send_modify(|known| known.resolved = true);
        sleep(wait).await;
    }
}

async fn watch_health(on: bool, channel: Channel, address: String, known: Arc<watch::Sender<Known>>) {
    let mut health = HealthClient::new(channel);
    while on {
        let report = |serves, trouble| known.send_modify(|known| known.set(&address, serves, trouble));
        let trouble = match follow(&mut health, |serves| report(serves, "by its health".into())).await {
            Ok(()) => "its health check ended".into(),
            // One without health checks is taken to be healthy.
            Err(status) if status.code() == Code::Unimplemented => return report(true, String::new()),
            Err(status) => told(&status),
        };
        report(false, trouble);
        sleep(PAUSE).await;
    }
}

/// Reports each word on the health of one replica, until the connection ends.
async fn follow(health: &mut HealthClient<Channel>, report: impl Fn(bool)) -> Result<(), Status> {
    let mut words = health.watch(HealthCheckRequest::default()).await?.into_inner();
    while let Some(word) = words.message().await? {
        report(word.status() == ServingStatus::Serving);
    }
    Ok(())
}

/// The message with its causes: tonic's own says no more than "transport error".
fn told(status: &Status) -> String {
    let mut text = status.message().to_owned();
    let mut cause = std::error::Error::source(status);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
