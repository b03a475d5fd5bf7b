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
use tokio::task::JoinHandle;
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
const SHORT_PAUSE: Duration = Duration::from_millis(20);

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
    _keeper: Task,
}

impl Replicas {
    pub(crate) fn new(target: &str, options: &Options) -> Result<Self, Error> {
        let place = Place::new(target, options.tls.clone());
        // What is wrong with target or certificates shows now, not with the first call.
        place.endpoint(&place.authority)?;
        let (known, seen) = watch::channel(Known::default());
        let keeper = Keeper {
            place,
            health_checks: options.health_checks,
            known: Arc::new(known),
            watches: BTreeMap::new(),
        };
        Ok(Self { known: seen, turn: AtomicUsize::new(0), _keeper: Task(tokio::spawn(keeper.keep())) })
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

/// Where the service is: a name to be resolved, or addresses that are taken as they are.
struct Place {
    scheme: String,
    authority: String,
    /// None for a name, which is resolved.
    addresses: Option<BTreeSet<String>>,
    tls: Option<Tls>,
}

impl Place {
    fn new(target: &str, tls: Option<Tls>) -> Self {
        let usual = if tls.is_some() { "https" } else { "http" };
        // As gRPC writes a list of addresses.
        if let Some(list) = target.strip_prefix("ipv4:").or(target.strip_prefix("ipv6:")) {
            let addresses: Vec<_> = list.split(',').map(str::to_owned).collect();
            let (scheme, authority) = (usual.to_owned(), addresses[0].clone());
            return Self { scheme, authority, addresses: Some(addresses.into_iter().collect()), tls };
        }
        let (scheme, authority, named) = match target.split_once("://") {
            None | Some(("dns", _)) => (usual, target.trim_start_matches("dns:///"), true),
            Some((scheme, rest)) => (scheme, rest, false),
        };
        let addresses = (!named).then(|| BTreeSet::from([authority.to_owned()]));
        Self { scheme: scheme.to_owned(), authority: authority.to_owned(), addresses, tls }
    }

    /// One replica, which is called by the name and not by its address.
    fn endpoint(&self, address: &str) -> Result<Endpoint, Error> {
        let endpoint =
            Endpoint::from_shared(format!("{}://{address}", self.scheme))?.connect_timeout(CONNECT_WITHIN);
        let name = format!("{}://{}", self.scheme, self.authority).parse::<Uri>();
        // A socket's path has no host.
        let Some(host) = name.as_ref().ok().and_then(Uri::host).map(str::to_owned) else {
            return Ok(endpoint);
        };
        let endpoint = name.map_or(endpoint.clone(), |name| endpoint.origin(name));
        match &self.tls {
            Some(tls) => endpoint.tls_config(tls.config(&host)),
            None => Ok(endpoint),
        }
    }

    async fn addresses(&self) -> std::io::Result<BTreeSet<String>> {
        if let Some(addresses) = &self.addresses {
            return Ok(addresses.clone());
        }
        let found = lookup_host(&self.authority).await?;
        Ok(found.map(|address| address.to_string()).collect())
    }
}

/// Keeps what is known up to date.
struct Keeper {
    place: Place,
    health_checks: bool,
    known: Arc<watch::Sender<Known>>,
    /// By address; a replica that is gone ends its own.
    watches: BTreeMap<String, Task>,
}

impl Keeper {
    async fn keep(mut self) {
        loop {
            let wait = match self.place.addresses().await {
                Ok(addresses) => {
                    self.forget_all_but(&addresses);
                    for address in addresses {
                        self.add(address);
                    }
                    RESOLVE_EVERY
                }
                // Those that are known may serve all the same.
                Err(error) => {
                    self.known.send_modify(|known| known.trouble = error.to_string());
                    PAUSE
                }
            };
            self.known.send_modify(|known| known.resolved = true);
            sleep(wait).await;
        }
    }

    fn forget_all_but(&mut self, addresses: &BTreeSet<String>) {
        self.watches.retain(|address, _| addresses.contains(address));
        self.known.send_modify(|known| known.replicas.retain(|address, _| addresses.contains(address)));
    }

    fn add(&mut self, address: String) {
        if self.known.borrow().replicas.contains_key(&address) {
            return;
        }
        // The same was tried with the name, when the client was made.
        let Ok(endpoint) = self.place.endpoint(&address) else { return };
        let channel = endpoint.connect_lazy();
        let health = if self.health_checks { None } else { Some(true) };
        let replica = Replica { channel: channel.clone(), serves: health };
        self.known.send_modify(|known| drop(known.replicas.insert(address.clone(), replica)));
        if self.health_checks {
            let watch = watch_health(channel, address.clone(), self.known.clone());
            self.watches.insert(address, Task(tokio::spawn(watch)));
        }
    }
}

/// Ends when it is dropped.
struct Task(JoinHandle<()>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn watch_health(channel: Channel, address: String, known: Arc<watch::Sender<Known>>) {
    let report = |serves, trouble| known.send_modify(|known| known.set(&address, serves, trouble));
    let mut health = HealthClient::new(channel);
    loop {
        let mut heard = false;
        let word = |serves| {
            heard = true;
            report(serves, "not by its health".into());
        };
        let end = follow(&mut health, word).await;
        if heard {
            // Servers close old connections: it is gone only if the next one fails.
            sleep(SHORT_PAUSE).await;
            continue;
        }
        match end {
            // One without health checks is taken to be healthy.
            Err(status) if status.code() == Code::Unimplemented => return report(true, String::new()),
            Err(status) => report(false, told(&status)),
            Ok(()) => report(false, "it says nothing of its health".into()),
        }
        sleep(PAUSE).await;
    }
}

/// Reports each word on the health of one replica, until the connection ends.
async fn follow(health: &mut HealthClient<Channel>, mut report: impl FnMut(bool)) -> Result<(), Status> {
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
        let said = error.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        cause = error.source();
    }
    text
}
