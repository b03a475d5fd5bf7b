"""Which generators make the code of each language, and where its error details come from.

protoc 36.2 makes messages, but for Python, whose floors grpcio-tools sets, and for C++, which must be compiled against
the very version that made it: there that of Debian. The versions are those that the clients in clients/ build with.
"""

from dataclasses import dataclass

# One for all that a language's own protoc makes.
PROTOC = "protoc"
PYTHON, DEBIAN = "grpcio-tools", "Debian's protoc"


@dataclass(frozen=True)
class Output:
    """One ``--NAME_out`` of protoc, by a plugin where protoc itself does not know it."""

    name: str
    plugin: str = ""
    options: str = ""
    # Of the error details it would make nothing.
    services: bool = False
    # Without it there are messages alone, which is said.
    optional: bool = False


@dataclass(frozen=True)
class Language:
    """How its code is made."""

    outputs: tuple[Output, ...]
    protoc: str = PROTOC
    # The package that brings google.rpc.ErrorInfo and the like. Where there is none, they are generated too.
    details: str = ""


LANGUAGES = {
    "cpp": Language((Output("cpp"), Output("grpc", "grpc_cpp_plugin", services=True)), DEBIAN),
    "csharp": Language(
        (Output("csharp"), Output("grpc", "grpc_csharp_plugin", services=True)),
        details="Google.Api.CommonProtos",
    ),
    "dart": Language((Output("dart", "protoc-gen-dart", "grpc"),)),
    "go": Language(
        (
            Output("go", "protoc-gen-go", "paths=source_relative"),
            Output("go-grpc", "protoc-gen-go-grpc", "paths=source_relative", services=True),
        ),
        details="google.golang.org/genproto/googleapis/rpc",
    ),
    "java": Language(
        (Output("java"), Output("grpc-java", "protoc-gen-grpc-java", services=True)),
        details="com.google.api.grpc:proto-google-common-protos",
    ),
    "kotlin": Language(
        (
            Output("java"),
            Output("kotlin"),
            Output("grpc-java", "protoc-gen-grpc-java", services=True),
            Output("grpckt", "protoc-gen-grpc-kotlin", services=True),
        ),
        details="com.google.api.grpc:proto-google-common-protos",
    ),
    "objc": Language(
        (Output("objc"), Output("grpc", "grpc_objective_c_plugin", services=True, optional=True))
    ),
    "php": Language(
        (Output("php"), Output("grpc", "grpc_php_plugin", services=True)), details="google/common-protos"
    ),
    "python": Language(
        (Output("python"), Output("pyi"), Output("grpc_python", services=True)),
        PYTHON,
        details="googleapis-common-protos",
    ),
    "ruby": Language(
        (Output("ruby"), Output("grpc", "grpc_ruby_plugin", services=True)),
        details="googleapis-common-protos-types",
    ),
    "rust": Language(
        (Output("prost", "protoc-gen-prost"), Output("tonic", "protoc-gen-tonic", services=True)),
        details="tonic-types",
    ),
    "swift": Language(
        (
            Output("swift", "protoc-gen-swift", "Visibility=Public"),
            Output(
                "grpc-swift-2", "protoc-gen-grpc-swift-2", "Visibility=Public,Server=false", services=True
            ),
        )
    ),
    "typescript": Language((Output("es", "protoc-gen-es", "target=ts,import_extension=js"),)),
}
