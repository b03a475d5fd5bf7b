"""Reflection: both versions, every kind of symbol, and streams that hold nothing up."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_database, descriptor_pb2, descriptor_pool, message_factory
from grpc_reflection.v1alpha import reflection_pb2 as alpha

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.server.reflection import REFLECTION, Shown
from tests.server.support import Service, failure

V1, V1ALPHA = REFLECTION
OURS, HEALTH = "tarneeb.v1.TarneebService", "grpc.health.v1.Health"
NOT_FOUND, INVALID_ARGUMENT = 5, 3
Ask = Callable[..., list[alpha.ServerReflectionResponse]]


@pytest.fixture(params=REFLECTION, ids=["v1", "v1alpha"])
def ask(request: pytest.FixtureRequest, service: Service) -> Ask:
    """Sends requests on one stream and returns the answers; the messages of both versions are the same bytes."""
    stream = _stream(service, request.param)

    def send(*requests: alpha.ServerReflectionRequest) -> list[alpha.ServerReflectionResponse]:
        return list(stream(iter(requests), timeout=10))

    return send


def _stream(service: Service, path: str) -> Any:
    return service.channel.stream_stream(
        f"{path}ServerReflectionInfo",
        alpha.ServerReflectionRequest.SerializeToString,
        alpha.ServerReflectionResponse.FromString,
    )


def symbol(name: str) -> alpha.ServerReflectionRequest:
    return alpha.ServerReflectionRequest(file_containing_symbol=name)


def files(response: alpha.ServerReflectionResponse) -> dict[str, descriptor_pb2.FileDescriptorProto]:
    """The files of an answer, by name; the first is the one that was asked for."""
    protos = map(
        descriptor_pb2.FileDescriptorProto.FromString, response.file_descriptor_response.file_descriptor_proto
    )
    return {proto.name: proto for proto in protos}


def file_of(response: alpha.ServerReflectionResponse) -> str:
    return next(iter(files(response)), "")


def test_all_services_are_listed(ask: Ask) -> None:
    (answer,) = ask(alpha.ServerReflectionRequest(list_services="*"))
    names = [each.name for each in answer.list_services_response.service]
    assert names == sorted([HEALTH, OURS, V1.strip("/"), V1ALPHA.strip("/")])


@pytest.mark.parametrize(
    "name, file",
    [
        (OURS, "tarneeb/v1/tarneeb_service.proto"),
        (f"{OURS}.ValidateMove", "tarneeb/v1/tarneeb_service.proto"),
        ("tarneeb.v1.Game", "tarneeb/v1/game.proto"),
        ("tarneeb.v1.Game.id", "tarneeb/v1/game.proto"),
        ("tarneeb.v1.ValidateMoveRequest.stored", "tarneeb/v1/tarneeb_service.proto"),
        ("tarneeb.v1.Card", "tarneeb/v1/cards.proto"),
        ("tarneeb.v1.CARD_SPADES_ACE", "tarneeb/v1/cards.proto"),
        (f"{HEALTH}.Watch", "grpc_health/v1/health.proto"),
        ("grpc.health.v1.HealthCheckResponse.ServingStatus", "grpc_health/v1/health.proto"),
        ("google.rpc.BadRequest.FieldViolation", "google/rpc/error_details.proto"),
        (f"{V1.strip('/')}.ServerReflectionInfo", "grpc_reflection/v1/reflection.proto"),
        ("grpc.reflection.v1.ErrorResponse", "grpc_reflection/v1/reflection.proto"),
    ],
)
def test_every_kind_of_symbol_is_found(ask: Ask, name: str, file: str) -> None:
    request = symbol(name)
    (answer,) = ask(request)
    assert file_of(answer) == file
    assert answer.original_request == request


def test_every_name_that_the_contract_declares_is_found(service: Service) -> None:
    names = [name for file in _own_files() for name in _declared(file)]
    assert len(names) > 700
    answers = _stream(service, V1)(map(symbol, names), timeout=30)
    assert [answer.original_request.file_containing_symbol for answer in answers if not files(answer)] == []


@pytest.mark.parametrize(
    "name",
    ["", "tarneeb", "tarneeb.v1", ".tarneeb.v1.Game", f"{OURS}.Validate", f"{OURS}.", "tarneeb.v1.Game.\x00"],
)
def test_what_is_no_symbol_is_not_found_and_the_stream_goes_on(ask: Ask, name: str) -> None:
    missing, found = ask(symbol(name), symbol(OURS))
    assert missing.error_response.error_code == NOT_FOUND
    assert missing.original_request == symbol(name)
    assert files(found)


def test_a_file_comes_with_all_that_it_imports(ask: Ask) -> None:
    (answer,) = ask(alpha.ServerReflectionRequest(file_by_filename="tarneeb/v1/game.proto"))
    there = files(answer)
    assert next(iter(there)) == "tarneeb/v1/game.proto"
    assert {name for proto in there.values() for name in proto.dependency} <= there.keys()


def test_the_files_are_those_of_the_stubs(ask: Ask) -> None:
    (answer,) = ask(symbol(OURS))
    pool = descriptor_pool.Default()
    for name, proto in files(answer).items():
        assert proto.SerializeToString(deterministic=True) == pool.FindFileByName(name).serialized_pb


def test_a_file_that_no_service_uses_is_not_shown(ask: Ask) -> None:
    # In the process, since the tests import it; none of a caller's business.
    loaded = descriptor_pool.Default().FindFileByName("google/protobuf/descriptor.proto").name
    assert (
        ask(alpha.ServerReflectionRequest(file_by_filename=loaded))[0].error_response.error_code == NOT_FOUND
    )


def test_extensions_are_asked_for_by_type_and_number(ask: Ask) -> None:
    def extension(name: str, number: int) -> alpha.ServerReflectionRequest:
        asked = alpha.ExtensionRequest(containing_type=name, extension_number=number)
        return alpha.ServerReflectionRequest(file_containing_extension=asked)

    numbers, none, *missing = ask(
        alpha.ServerReflectionRequest(all_extension_numbers_of_type="tarneeb.v1.Game"),
        alpha.ServerReflectionRequest(all_extension_numbers_of_type="tarneeb.v1.Gam"),
        extension("tarneeb.v1.Game", 1),
        extension("tarneeb.v1.Game", -1),
        extension("tarneeb.v1.Gam", 1),
    )
    # proto3 has none.
    assert numbers.all_extension_numbers_response.base_type_name == "tarneeb.v1.Game"
    assert not numbers.all_extension_numbers_response.extension_number
    assert [each.error_response.error_code for each in (none, *missing)] == [NOT_FOUND] * 4


def test_a_request_that_asks_nothing_is_said_to(ask: Ask) -> None:
    (answer,) = ask(alpha.ServerReflectionRequest(host="somewhere"))
    assert answer.error_response.error_code == INVALID_ARGUMENT


@pytest.mark.parametrize("path", REFLECTION)
def test_what_is_no_request_ends_the_stream(service: Service, path: str) -> None:
    stream: Any = service.channel.stream_stream(f"{path}ServerReflectionInfo")
    error = failure(lambda: list(stream(iter([b"\xff\xff"]), timeout=10)))
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_v1_is_declared_as_the_protocol_has_it() -> None:
    shown = Shown()
    kinds = {
        "ServerReflectionRequest": {
            "host": 1,
            "file_by_filename": 3,
            "file_containing_symbol": 4,
            "file_containing_extension": 5,
            "all_extension_numbers_of_type": 6,
            "list_services": 7,
        },
        "ExtensionRequest": {"containing_type": 1, "extension_number": 2},
        "ServerReflectionResponse": {
            "valid_host": 1,
            "original_request": 2,
            "file_descriptor_response": 4,
            "all_extension_numbers_response": 5,
            "list_services_response": 6,
            "error_response": 7,
        },
        "FileDescriptorResponse": {"file_descriptor_proto": 1},
        "ExtensionNumberResponse": {"base_type_name": 1, "extension_number": 2},
        "ListServiceResponse": {"service": 1},
        "ServiceResponse": {"name": 1},
        "ErrorResponse": {"error_code": 1, "error_message": 2},
    }
    for name, numbers in kinds.items():
        fields = shown.FindMessageTypeByName(f"grpc.reflection.v1.{name}").fields
        assert {field.name: field.number for field in fields} == numbers
        inner = [field.message_type.full_name for field in fields if field.message_type]
        assert all(each.startswith("grpc.reflection.v1.") for each in inner)
    service = shown.FindServiceByName("grpc.reflection.v1.ServerReflection")
    assert not service.file.GetOptions().deprecated
    assert [
        (each.name, each.client_streaming, each.server_streaming, each.input_type.name, each.output_type.name)
        for each in service.methods
    ] == [("ServerReflectionInfo", True, True, "ServerReflectionRequest", "ServerReflectionResponse")]


def test_a_caller_with_nothing_but_reflection_can_call(service: Service) -> None:
    # As ghz and grpcurl do: descriptors from the answer alone.
    (answer,) = _stream(service, V1)(iter([symbol(f"{OURS}.ListRuleSets")]), timeout=10)
    known = descriptor_database.DescriptorDatabase()
    for proto in files(answer).values():
        known.Add(proto)
    method = descriptor_pool.DescriptorPool(known).FindMethodByName(f"{OURS}.ListRuleSets")
    request, response = map(message_factory.GetMessageClass, (method.input_type, method.output_type))
    call = service.channel.unary_unary(
        f"/{OURS}/ListRuleSets", request.SerializeToString, response.FromString
    )
    assert (
        call(request()).SerializeToString()
        == service.stub.ListRuleSets(pb.ListRuleSetsRequest()).SerializeToString()
    )


def test_silent_streams_keep_nobody_out() -> None:
    with Service() as service:
        leave = threading.Event()

        def once() -> Iterator[alpha.ServerReflectionRequest]:
            yield symbol(OURS)
            leave.wait(60)

        # More than there are threads.
        idle = [_stream(service, V1)(once(), timeout=60) for _ in range(40)]
        assert file_of(next(iter(_stream(service, V1ALPHA)(iter([symbol(OURS)]), timeout=5))))
        leave.set()
        for stream in idle:
            stream.cancel()


def _own_files() -> list[Any]:
    return [pb.DESCRIPTOR, *pb.DESCRIPTOR.dependencies]


def _declared(file: Any) -> Iterator[str]:
    for service in file.services_by_name.values():
        yield service.full_name
        yield from (method.full_name for method in service.methods)
    yield from _declared_in(file.message_types_by_name.values(), file.enum_types_by_name.values())


def _declared_in(messages: Any, enums: Any) -> Iterator[str]:
    for enum in enums:
        yield enum.full_name
        # A value is a sibling of its type.
        scope = enum.full_name.rpartition(".")[0]
        yield from (f"{scope}.{value.name}" for value in enum.values)
    for message in messages:
        yield message.full_name
        yield from (field.full_name for field in message.fields)
        yield from (oneof.full_name for oneof in message.oneofs)
        yield from _declared_in(message.nested_types, message.enum_types)
