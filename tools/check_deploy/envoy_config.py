"""What must hold for the gateway: Envoy's configuration, and the Deployment that runs it."""

from collections.abc import Iterator
from typing import Any

from tarneeb.v1 import tarneeb_service_pb2
from tools.check_deploy.documents import Document, bytes_of, container, find, load_yaml, pod_of

SERVICE = tarneeb_service_pb2.DESCRIPTOR.services_by_name["TarneebService"].full_name
METHODS = tarneeb_service_pb2.DESCRIPTOR.services_by_name["TarneebService"].methods_by_name
LOOPBACK = "127.0.0.1"
# gRPC puts as many bytes before a message.
FRAME_BYTES = 5
# What browsers, tracing, gRPC-Web and Connect send.
ALLOWED_HEADERS = (
    "authorization,baggage,connect-protocol-version,connect-timeout-ms,content-type,grpc-timeout,traceparent,"
    "tracestate,x-grpc-web,x-request-id,x-user-agent"
)
EXPOSED_HEADERS = {"grpc-message", "grpc-status", "grpc-status-details-bin", "x-request-id"}
RETRIED = {"cancelled", "unavailable", "connect-failure", "refused-stream", "reset"}
# The cluster's kubelet kills a gateway that takes longer; between its last call and that there is this much.
SPARE_SECONDS = 5

Config = dict[str, Any]


def problems(documents: list[Document], max_message_bytes: int) -> Iterator[str]:
    """What is wrong with the gateway of a rendered deployment, if it has one."""
    try:
        deployment = find(documents, "Deployment", "tarneeb-gateway")
        files = find(documents, "ConfigMap", "tarneeb-gateway")
    except KeyError:
        return
    config = load_yaml(files["data"]["envoy.yaml"])
    for what, good in (
        *_edge(config),
        *_routes(config),
        *_filters(config, max_message_bytes),
        *_upstream(config, documents),
        *_overload(config, deployment),
        *_deployment(config, deployment, files),
    ):
        if not good:
            yield f"Envoy: {what}"


def manager(config: Config, listener: str) -> Config:
    """The HTTP connection manager of a listener."""
    (one,) = (each for each in config["static_resources"]["listeners"] if each["name"] == listener)
    found: Config = one["filter_chains"][0]["filters"][0]["typed_config"]
    return found


def cluster(config: Config, name: str) -> Config:
    (one,) = (each for each in config["static_resources"]["clusters"] if each["name"] == name)
    found: Config = one
    return found


def host(config: Config) -> Config:
    """The one virtual host that callers reach."""
    (one,) = manager(config, "calls")["route_config"]["virtual_hosts"]
    found: Config = one
    return found


def filters(config: Config) -> dict[str, Config]:
    """The filters that a call passes, in their order."""
    return {
        each["name"].rpartition(".")[2]: each["typed_config"]
        for each in manager(config, "calls")["http_filters"]
    }


def seconds(duration: object) -> float:
    return float(str(duration or "0s").removesuffix("s"))


Finding = tuple[str, bool]


def _edge(config: Config) -> Iterator[Finding]:
    """What keeps strangers from holding what they do not need."""
    calls = manager(config, "calls")
    common, http2 = calls.get("common_http_protocol_options", {}), calls.get("http2_protocol_options", {})
    for name, most in (("request_headers_timeout", 30), ("request_timeout", 60), ("stream_idle_timeout", 60)):
        yield f"{name} must be set, to {most} s at most", 0 < seconds(calls.get(name)) <= most
    yield "idle connections must end", 0 < seconds(common.get("idle_timeout")) <= 900
    yield "headers must be bounded, to 32 KiB at most", 0 < calls.get("max_request_headers_kb", 60) <= 32
    yield "the number of headers must be bounded", 0 < common.get("max_headers_count", 1000) <= 100
    streams = http2.get("max_concurrent_streams", 2**31)
    yield "the streams of a connection must be bounded, to 100 at most", 0 < streams <= 100
    yield "a stream's window must be bounded", http2.get("initial_stream_window_size", 2**28) <= 2**20
    (listener,) = (each for each in config["static_resources"]["listeners"] if each["name"] == "calls")
    buffered = listener.get("per_connection_buffer_limit_bytes", 2**20)
    yield "a connection's buffer must be bounded, to 64 KiB at most", 0 < buffered <= 65536
    yield "the admin interface is open", _address(config["admin"]) == LOOPBACK
    for each in manager(config, "stats")["route_config"]["virtual_hosts"]:
        for route in each["routes"]:
            only = route["match"] == {
                "path": "/stats/prometheus",
                "headers": [{"name": ":method", "string_match": {"exact": "GET"}}],
            }
            yield "more of the admin interface than its metrics is open", only


def _address(part: Config) -> str:
    return str(part["address"]["socket_address"]["address"])


def _routes(config: Config) -> Iterator[Finding]:
    routes = host(config)["routes"]
    prefix = f"/{SERVICE}/"
    last = routes[-1]["match"]
    yield "the last route must be the service and nothing else", last == {"prefix": prefix}
    for route in routes:
        match = route["match"]
        path = match.get("prefix") or match.get("path") or match.get("safe_regex", {}).get("regex", "")
        path = path.replace("\\.", ".")
        yield f"the route {path} is open beside the service", path.startswith(prefix)
        if match.get("safe_regex"):
            methods = path.removeprefix(prefix).strip("()").split("|")
            yield f"the route {path} names a method that is none", set(methods) <= set(METHODS)
        if "route" not in route:
            continue
        action, retry = route["route"], route["route"].get("retry_policy", {})
        yield f"{path} goes to another cluster", action.get("cluster") == "tarneeb"
        yield f"calls of {path} must end", 0 < seconds(action.get("timeout", "0s")) <= 30
        yield f"calls of {path} must be repeated", set(retry.get("retry_on", "").split(",")) >= RETRIED
        whole, one = seconds(action.get("timeout")), seconds(retry.get("per_try_timeout"))
        yield f"a try of {path} must leave time for another", 0 < one <= whole / 2
        other = any("previous_hosts" in each["name"] for each in retry.get("retry_host_predicate", []))
        yield f"calls of {path} must be repeated elsewhere", other
    cors = host(config)["typed_per_filter_config"]["envoy.filters.http.cors"]
    origins = cors["allow_origin_string_match"]
    anyone = [each for each in origins if set(str(next(iter(each.values())))) <= set("{}'regx: .*+")]
    yield "every origin may call", bool(origins) and not anyone
    allowed = set(cors.get("allow_headers", "").split(","))
    yield (
        f"the preflight stops {sorted(set(ALLOWED_HEADERS.split(',')) - allowed)}",
        allowed >= set(ALLOWED_HEADERS.split(",")),
    )
    exposed = set(cors.get("expose_headers", "").split(","))
    yield "browsers do not see how a call ended", exposed >= EXPOSED_HEADERS


def _filters(config: Config, max_message_bytes: int) -> Iterator[Finding]:
    found = filters(config)
    order = [
        "health_check",
        "cors",
        "grpc_web",
        "connect_grpc_bridge",
        "grpc_json_transcoder",
        "buffer",
        "router",
    ]
    yield f"filters are {list(found)}, not {order}", list(found) == order
    if list(found) != order:
        return
    mapping = found["grpc_json_transcoder"]
    yield "JSON is mapped for another service", mapping.get("services") == [SERVICE]
    yield "JSON callers need the methods' paths", mapping.get("auto_mapping") is True
    yield "JSON callers need errors with details", mapping.get("convert_grpc_status") is True
    zeros = mapping.get("print_options", {}).get("always_print_primitive_fields")
    yield "JSON callers need zeros", zeros is True
    unknown = mapping.get("request_validation_options", {}).get("reject_unknown_method")
    yield "unknown methods must be refused", unknown is True
    for key, most in (("max_request_body_size", 16), ("max_response_body_size", 64)):
        size = mapping.get(key, 0)
        yield f"{key} is {size}, the service takes {max_message_bytes}", size >= max_message_bytes
        yield f"{key} must be bounded", size <= most * max(max_message_bytes, 2**20)
    size = found["buffer"].get("max_request_bytes", 0)
    wanted = max_message_bytes + FRAME_BYTES
    yield f"a call may have {size} bytes, the service takes {wanted}", size == wanted


def _upstream(config: Config, documents: list[Document]) -> Iterator[Finding]:
    service = container(find(documents, "Deployment", "tarneeb"))
    ports = {each["name"]: each["containerPort"] for each in service["ports"]}
    headless = find(documents, "Service", "tarneeb-headless")["metadata"]["name"]
    one = cluster(config, "tarneeb")
    (endpoint,) = (
        each["endpoint"] for group in one["load_assignment"]["endpoints"] for each in group["lb_endpoints"]
    )
    address = endpoint["address"]["socket_address"]
    yield f"calls go to {address['address']}, not to every pod's address", address["address"] == headless
    yield f"calls go to port {address['port_value']}", address["port_value"] == ports.get("grpc")
    health_port = endpoint.get("health_check_config", {}).get("port_value")
    yield f"health is asked on port {health_port}", health_port == ports.get("health")
    refresh = seconds(one.get("cluster_type", {}).get("typed_config", {}).get("dns_refresh_rate"))
    yield "new pods must be found within 10 s", 0 < refresh <= 10
    yield "calls must go where fewest wait", one.get("lb_policy") == "LEAST_REQUEST"
    yield "connecting must end within 1 s", 0 < seconds(one.get("connect_timeout")) <= 1
    protocol = one.get("typed_extension_protocol_options", {}).get(
        "envoy.extensions.upstreams.http.v3.HttpProtocolOptions", {}
    )
    http2 = protocol.get("explicit_http_config", {}).get("http2_protocol_options")
    yield "the service must be spoken to by HTTP/2", http2 is not None
    checks = one.get("health_checks", [])
    yield "health must be asked by gRPC", len(checks) == 1 and "grpc_health_check" in checks[0]
    for check in checks:
        intervals = [seconds(check.get(name, "60s")) for name in ("interval", "no_traffic_interval")]
        yield "health must be asked every 5 s, without traffic too", all(0 < each <= 5 for each in intervals)
    (breaker,) = one.get("circuit_breakers", {}).get("thresholds") or [{}]
    budget = breaker.get("retry_budget", {}).get("budget_percent", {}).get("value", 0)
    yield "a retry budget of 20 to 60 % is needed", 20 <= budget <= 60
    outliers = one.get("outlier_detection", {})
    yield (
        "replicas that cut off or time out must be left",
        0 < outliers.get("consecutive_local_origin_failure", 0) <= 10,
    )
    yield (
        "replicas that turn calls away must not be left",
        (
            outliers.get("split_external_local_origin_errors") is True
            and outliers.get("enforcing_consecutive_5xx") == 0
        ),
    )
    yield "half of the replicas must stay", 0 < outliers.get("max_ejection_percent", 10) <= 50


def _overload(config: Config, deployment: Document) -> Iterator[Finding]:
    overload = config.get("overload_manager", {})
    monitors = {
        each["name"].rpartition(".")[2]: each["typed_config"]
        for each in overload.get("resource_monitors", [])
    }
    connections = monitors.get("global_downstream_max_connections", {}).get(
        "max_active_downstream_connections", 0
    )
    yield "connections must be bounded, to 10000 at most", 0 < connections <= 10_000
    heap = int(monitors.get("fixed_heap", {}).get("max_heap_size_bytes", 0))
    limit = container(deployment)["resources"].get("limits", {}).get("memory", "0")
    yield (
        f"a heap of {heap} bytes leaves no quarter of its memory limit {limit}",
        0 < heap <= bytes_of(limit) * 3 // 4,
    )
    actions = {each["name"].rpartition(".")[2] for each in overload.get("actions", [])}
    for name in (
        "shrink_heap",
        "reset_high_memory_stream",
        "stop_accepting_requests",
        "stop_accepting_connections",
    ):
        yield f"{name} must come before the memory's end", name in actions
    yield "streams that hold much can't be told", "buffer_factory_config" in overload


def _deployment(config: Config, deployment: Document, files: Document) -> Iterator[Finding]:
    one, pod = container(deployment), pod_of(deployment)
    named = {each["name"]: each["containerPort"] for each in one["ports"]}
    listening = {
        each["name"]: each["address"]["socket_address"]["port_value"]
        for each in config["static_resources"]["listeners"]
    }
    yield (
        f"it listens on {listening}, the ports are {named}",
        listening
        == {
            "calls": named.get("http"),
            "stats": named.get("stats"),
        },
    )
    health = (
        filters(config).get("health_check", {}).get("headers", [{}])[0].get("string_match", {}).get("exact")
    )
    probe = one.get("readinessProbe", {}).get("httpGet", {})
    yield f"readiness asks {probe.get('path')}, Envoy answers {health}", probe.get("path") == health
    yield "readiness asks another port", probe.get("port") in ("http", named.get("http"))
    folders = {mount["mountPath"] for mount in one.get("volumeMounts", [])}
    command = one.get("command", [])
    path = command[command.index("--config-path") + 1] if "--config-path" in command else ""
    descriptor = filters(config).get("grpc_json_transcoder", {}).get("proto_descriptor", "")
    there = {*files.get("data", {}), *files.get("binaryData", {})}
    for file in (path, descriptor):
        folder, _, name = file.rpartition("/")
        yield f"the file {file} is not there", folder in folders and name in there
    script = " ".join(one.get("lifecycle", {}).get("preStop", {}).get("exec", {}).get("command", []))
    admin = config["admin"]["address"]["socket_address"]["port_value"]
    yield (
        "preStop must make it unready",
        f"/dev/tcp/{LOOPBACK}/{admin}" in script and "/healthcheck/fail" in script,
    )
    sleep = float((script.rpartition("sleep ")[2].split() or ["0"])[0] if "sleep " in script else 0)
    longest = max(seconds(each["route"].get("timeout")) for each in host(config)["routes"] if "route" in each)
    yield f"preStop sleeps {sleep} s, a call may take {longest} s", sleep >= longest
    grace = pod.get("terminationGracePeriodSeconds", 30)
    yield f"preStop sleeps {sleep} s, it is killed after {grace} s", sleep + SPARE_SECONDS <= grace
