"""Mistakes in the gateway: Envoy's configuration, and the Deployment that runs it."""

from collections.abc import Callable
from typing import Any

import yaml

from tests.deploy.mistakes.places import Documents, Mistake, envoy_container, gateway, settings
from tools.check_deploy import envoy_config
from tools.check_deploy.documents import find, load_yaml, pod_of


def envoy(change: Callable[[Any], Any]) -> Callable[[Documents], None]:
    """A change of envoy.yaml, in the ConfigMap that has it."""

    def spoil(documents: Documents) -> None:
        data = find(documents, "ConfigMap", "tarneeb-gateway")["data"]
        config = load_yaml(data["envoy.yaml"])
        change(config)
        data["envoy.yaml"] = yaml.safe_dump(config)

    return spoil


def calls(config: Any) -> Any:
    return envoy_config.manager(config, "calls")


def cluster(config: Any) -> Any:
    return envoy_config.cluster(config, "tarneeb")


def endpoint(config: Any) -> Any:
    return cluster(config)["load_assignment"]["endpoints"][0]["lb_endpoints"][0]["endpoint"]


def last_route(config: Any) -> Any:
    return envoy_config.host(config)["routes"][-1]


def cors(config: Any) -> Any:
    return envoy_config.host(config)["typed_per_filter_config"]["envoy.filters.http.cors"]


def mapping(config: Any) -> Any:
    return envoy_config.filters(config)["grpc_json_transcoder"]


def filters(config: Any, name: str) -> Any:
    return next(each for each in calls(config)["http_filters"] if each["name"].endswith(f".{name}"))


def without_filter(name: str) -> Callable[[Documents], None]:
    return envoy(lambda c: calls(c)["http_filters"].remove(filters(c, name)))


def without(place: Callable[[Any], Any], key: str) -> Callable[[Documents], None]:
    return envoy(lambda c: place(c).pop(key))


def pre_stop(documents: Documents, old: str, new: str) -> None:
    command = envoy_container(documents)["lifecycle"]["preStop"]["exec"]["command"]
    assert old in command[-1]
    command[-1] = command[-1].replace(old, new)


def without_action(name: str) -> Callable[[Documents], None]:
    def change(config: Any) -> None:
        actions = config["overload_manager"]["actions"]
        actions[:] = [each for each in actions if not each["name"].endswith(name)]

    return envoy(change)


def common(config: Any) -> Any:
    return calls(config)["common_http_protocol_options"]


def stats_match(config: Any) -> Any:
    return envoy_config.manager(config, "stats")["route_config"]["virtual_hosts"][0]["routes"][0]["match"]


GATEWAY: dict[str, Mistake] = {
    "grace below preStop": Mistake(
        lambda d: pod_of(gateway(d)).update(terminationGracePeriodSeconds=10), "it is killed after 10 s"
    ),
    "preStop shorter than a call": Mistake(
        lambda d: pre_stop(d, "sleep 15", "sleep 5"), "a call may take 10.0 s"
    ),
    "preStop that does not make it unready": Mistake(
        lambda d: pre_stop(d, "/healthcheck/fail", "/healthcheck/ok"), "preStop must make it unready"
    ),
    "preStop asks another port": Mistake(
        lambda d: pre_stop(d, "9901", "9902"), "preStop must make it unready"
    ),
    "no preStop": Mistake(lambda d: envoy_container(d).pop("lifecycle"), "preStop must make it unready"),
    "readiness asks another path": Mistake(
        lambda d: envoy_container(d)["readinessProbe"]["httpGet"].update(path="/health"),
        "readiness asks /health",
    ),
    "readiness asks another port": Mistake(
        lambda d: envoy_container(d)["readinessProbe"]["httpGet"].update(port="stats"), "asks another port"
    ),
    "liveness at the first slow answer": Mistake(
        lambda d: envoy_container(d)["livenessProbe"].update(failureThreshold=1), "only slow"
    ),
    "too little memory": Mistake(
        lambda d: envoy_container(d)["resources"]["limits"].update(memory="384Mi"), "leaves no quarter"
    ),
    "another configuration file": Mistake(
        lambda d: envoy_container(d)["command"].__setitem__(2, "/etc/envoy/config.yaml"),
        "config.yaml is not there",
    ),
    "another port for calls": Mistake(
        lambda d: envoy_container(d)["ports"][0].update(containerPort=8000), "it listens on"
    ),
    "rolling update: neither one more nor one less": Mistake(
        lambda d: gateway(d)["spec"]["strategy"]["rollingUpdate"].update(maxSurge=0), "no update can start"
    ),
    "longer messages than it lets through": Mistake(
        lambda d: settings(d).update(TARNEEB_MAX_MESSAGE_BYTES="524288"), "the service takes 524293"
    ),
    "admin open": Mistake(
        envoy(lambda c: c["admin"]["address"]["socket_address"].update(address="0.0.0.0")),
        "admin interface is open",
    ),
    "admin open by the stats' port": Mistake(
        envoy(lambda c: (stats_match(c).pop("path"), stats_match(c).update(prefix="/"))), "more of the admin"
    ),
    "admin may be told by the stats' port": Mistake(
        envoy(lambda c: stats_match(c).pop("headers")), "more of the admin"
    ),
    "upstream: the balanced Service": Mistake(
        envoy(lambda c: endpoint(c)["address"]["socket_address"].update(address="tarneeb")),
        "every pod's address",
    ),
    "upstream: another port": Mistake(
        envoy(lambda c: endpoint(c)["address"]["socket_address"].update(port_value=9464)),
        "calls go to port 9464",
    ),
    "upstream: health among the calls": Mistake(
        without(endpoint, "health_check_config"), "asked on port None"
    ),
    "upstream: health never asked": Mistake(without(cluster, "health_checks"), "asked by gRPC"),
    "upstream: health asked by HTTP": Mistake(
        envoy(lambda c: cluster(c)["health_checks"][0].pop("grpc_health_check")), "asked by gRPC"
    ),
    "upstream: health not asked when quiet": Mistake(
        envoy(lambda c: cluster(c)["health_checks"][0].pop("no_traffic_interval")), "without traffic too"
    ),
    "upstream: HTTP/1.1": Mistake(without(cluster, "typed_extension_protocol_options"), "by HTTP/2"),
    "upstream: names asked seldom": Mistake(
        envoy(lambda c: cluster(c)["cluster_type"]["typed_config"].update(dns_refresh_rate="300s")),
        "new pods",
    ),
    "upstream: round robin": Mistake(
        envoy(lambda c: cluster(c).update(lb_policy="ROUND_ROBIN")), "fewest wait"
    ),
    "upstream: slow to connect": Mistake(without(cluster, "connect_timeout"), "connecting must end"),
    "upstream: default circuit breakers": Mistake(without(cluster, "circuit_breakers"), "retry budget"),
    "upstream: no outlier detection": Mistake(without(cluster, "outlier_detection"), "cut off or time out"),
    "upstream: busy replicas are left": Mistake(
        envoy(lambda c: cluster(c)["outlier_detection"].pop("enforcing_consecutive_5xx")), "turn calls away"
    ),
    "upstream: all may be left": Mistake(
        envoy(lambda c: cluster(c)["outlier_detection"].update(max_ejection_percent=100)),
        "half of the replicas",
    ),
    "route: health and reflection too": Mistake(
        envoy(lambda c: last_route(c)["match"].update(prefix="/")), "is open beside the service"
    ),
    "route: one more": Mistake(
        envoy(
            lambda c: envoy_config.host(c)["routes"].insert(
                0, {"match": {"prefix": "/grpc.health.v1.Health/"}, "route": {"cluster": "tarneeb"}}
            )
        ),
        "is open beside the service",
    ),
    "route: misspelt method": Mistake(
        envoy(
            lambda c: envoy_config.host(c)["routes"][1]["match"]["safe_regex"].update(
                regex="/tarneeb\\.v1\\.TarneebService/(ReplayGames|ValidateMoves)"
            )
        ),
        "names a method that is none",
    ),
    "route: another cluster": Mistake(
        envoy(lambda c: last_route(c)["route"].update(cluster="admin")), "another cluster"
    ),
    "route: no end": Mistake(envoy(lambda c: last_route(c)["route"].update(timeout="0s")), "must end"),
    "route: no repeat": Mistake(
        envoy(lambda c: last_route(c)["route"].pop("retry_policy")), "must be repeated"
    ),
    "route: what is cut off is lost": Mistake(
        envoy(lambda c: last_route(c)["route"]["retry_policy"].update(retry_on="unavailable")),
        "must be repeated",
    ),
    "route: a hung replica keeps its calls": Mistake(
        envoy(lambda c: last_route(c)["route"]["retry_policy"].pop("per_try_timeout")), "time for another"
    ),
    "route: repeated at the same replica": Mistake(
        envoy(lambda c: last_route(c)["route"]["retry_policy"].pop("retry_host_predicate")),
        "repeated elsewhere",
    ),
    "browsers: every origin": Mistake(
        envoy(lambda c: cors(c).update(allow_origin_string_match=[{"safe_regex": {"regex": ".*"}}])),
        "every origin",
    ),
    "browsers: no baggage": Mistake(
        envoy(lambda c: cors(c).update(allow_headers=cors(c)["allow_headers"].replace("baggage,", ""))),
        "the preflight stops ['baggage']",
    ),
    "browsers: no status": Mistake(without(cors, "expose_headers"), "how a call ended"),
    "JSON: another service": Mistake(
        envoy(lambda c: mapping(c).update(services=["tarneeb.v2.Tarneeb"])), "another service"
    ),
    "JSON: no paths": Mistake(without(mapping, "auto_mapping"), "methods' paths"),
    "JSON: no details": Mistake(without(mapping, "convert_grpc_status"), "errors with details"),
    "JSON: no zeros": Mistake(without(mapping, "print_options"), "need zeros"),
    "JSON: unknown methods go on": Mistake(without(mapping, "request_validation_options"), "unknown methods"),
    "JSON: bodies without a bound": Mistake(
        envoy(lambda c: mapping(c).update(max_request_body_size=2**30)),
        "max_request_body_size must be bounded",
    ),
    "JSON: another descriptor set": Mistake(
        envoy(lambda c: mapping(c).update(proto_descriptor="/etc/envoy/service.binpb")),
        "service.binpb is not there",
    ),
    "Connect: no bridge": Mistake(without_filter("connect_grpc_bridge"), "filters are"),
    "slow calls reach the service": Mistake(without_filter("buffer"), "filters are"),
    "no health for the kubelet": Mistake(without_filter("health_check"), "filters are"),
    "calls longer than the service takes": Mistake(
        envoy(lambda c: envoy_config.filters(c)["buffer"].update(max_request_bytes=8388608)),
        "may have 8388608 bytes",
    ),
    "slow headers": Mistake(without(calls, "request_headers_timeout"), "request_headers_timeout must be set"),
    "slow requests": Mistake(without(calls, "request_timeout"), "request_timeout must be set"),
    "silent streams": Mistake(without(calls, "stream_idle_timeout"), "stream_idle_timeout must be set"),
    "idle connections": Mistake(without(common, "idle_timeout"), "idle connections"),
    "long headers": Mistake(without(calls, "max_request_headers_kb"), "headers must be bounded"),
    "many headers": Mistake(without(common, "max_headers_count"), "number of headers"),
    "many streams": Mistake(without(calls, "http2_protocol_options"), "streams of a connection"),
    "large buffers": Mistake(
        without(lambda c: c["static_resources"]["listeners"][0], "per_connection_buffer_limit_bytes"),
        "buffer must be",
    ),
    "no bound for memory": Mistake(without(lambda c: c, "overload_manager"), "shrink_heap must come"),
    "connections without a bound": Mistake(
        envoy(lambda c: c["overload_manager"]["resource_monitors"].pop(0)), "connections must be bounded"
    ),
    "who holds most stays": Mistake(
        without_action("reset_high_memory_stream"), "reset_high_memory_stream must come"
    ),
    "who holds most can't be told": Mistake(
        without(lambda c: c["overload_manager"], "buffer_factory_config"), "can't be told"
    ),
}
