"""Generate every language into a folder apart, and compile or load what can be: python -m tools.stubs.check.

What is only generated is said to be. A toolchain that is missing is a failure in CI and for languages that were named.
"""

import argparse
import os
import re
import shutil
import sys
import sysconfig
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.serving import serving
from tools.check_deploy.downloads import TOOLS, MissingToolError
from tools.stubs import generators
from tools.stubs.generate import ROOT, generate
from tools.stubs.generators import ELSEWHERE, GO, debian, needed, npm, run
from tools.stubs.languages import LANGUAGES

HERE = Path(__file__).resolve().parent
# The runtimes that the code is tried with.
GO_MOD = f"""module stubs

go 1.25.0

require (
	google.golang.org/grpc v1.85.0
	google.golang.org/protobuf {GO["protoc-gen-go"][1]}
)
"""


def _python(folder: Path) -> str:
    """Every module, and not the ones of this repository."""
    program = (
        "import sys, pathlib, importlib\n"
        "for path in sorted(pathlib.Path('tarneeb').rglob('*_pb2*.py')):\n"
        "    module = importlib.import_module('.'.join(path.with_suffix('').parts))\n"
        "    assert pathlib.Path(module.__file__).resolve() == path.resolve(), module.__file__\n"
    )
    # Without `site`, which would put the packages of this repository first.
    path = os.pathsep.join([str(folder), sysconfig.get_path("purelib")])
    run([sys.executable, "-S", "-c", program], cwd=folder, environment={"PYTHONPATH": path})
    return "loaded"


def _go(folder: Path) -> str:
    (folder / "go.mod").write_text(GO_MOD, encoding="utf-8")
    run(["go", "build", "-p", "1", "-mod=mod", "./..."], cwd=folder)
    return "compiled"


def _java(folder: Path) -> str:
    sources = folder / "src"
    sources.mkdir()
    shutil.move(folder / "com", sources / "com")
    shutil.copy(HERE / "java/pom.xml", folder)
    needed("mvn", "Maven, with a JDK")
    run(["mvn", "-q", "-B", "compile"], cwd=folder)
    return "compiled"


def _typescript(folder: Path) -> str:
    modules = npm() / "node_modules"
    (folder / "node_modules").symlink_to(modules)
    # It is read by its modules, so that it must say that it has any.
    (folder / "package.json").write_text('{"type": "module"}\n', encoding="utf-8")
    files = sorted(folder.glob("tarneeb/**/*.ts")) + sorted(folder.glob("google/**/*.ts"))
    options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022"]
    run([modules / ".bin/tsc", *options, *files], cwd=folder)
    return "compiled"


def _ruby(folder: Path) -> str:
    """The first call of the page, and one that fails with details, at a real server."""
    debian("ruby", ["ruby"])
    page = (ROOT / "clients/stubs.md").read_text("utf-8")
    (code,) = re.findall(r"^```ruby\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    with serving() as server:
        code = code.replace("localhost:50051", f"127.0.0.1:{server.port}")
        wrong = f"{code.replace('saharat_classic', 'none')}\nexit error.to_rpc_status.details.size == 2"
        for program in (code + "\nexit made.revision == 0", wrong):
            command: list[str | Path] = ["ruby", f"-I{folder}", "-e", program]
            try:
                run(command)
            except MissingToolError:
                generators.install(["ruby-grpc", "ruby-google-protobuf"])
                run(command)
    return "loaded, and called the service"


def _php(folder: Path) -> str:
    php = debian("php", ["php-cli"])
    for path in sorted(folder.rglob("*.php")):
        run([php, "-l", path])
    return "syntax checked"


def _cpp(folder: Path) -> str:
    """What includes everything else, so that all headers are read."""
    source = folder / "tarneeb/v1/tarneeb_service.grpc.pb.cc"
    command: list[str | Path] = ["g++", "-std=c++17", "-fsyntax-only", "-I", folder, source]
    try:
        run(command)
    except MissingToolError:
        generators.install(["g++", "libgrpc++-dev", "libprotobuf-dev"])
        run(command)
    return "headers and the service compiled"


CHECKS: dict[str, Callable[[Path], str]] = {
    "cpp": _cpp,
    "go": _go,
    "java": _java,
    "php": _php,
    "python": _python,
    "ruby": _ruby,
    "typescript": _typescript,
}


def tried(language: str) -> str:
    """Generate it and see whether it is sound; returns how that was seen."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        generate(language, folder)
        if not any(folder.rglob("*")):
            raise MissingToolError("nothing was generated")
        if language not in CHECKS:
            return "generated, not compiled here"
        return CHECKS[language](folder)


def out_of_reach(language: str) -> list[str]:
    """Plugins that nothing here can install, and that are not there."""
    wanted = [each.plugin for each in LANGUAGES[language].outputs if not each.optional]
    return [name for name in wanted if name in ELSEWHERE and not shutil.which(name)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help=f"of {', '.join(LANGUAGES)}; all")
    languages = parser.parse_args().languages
    if unknown := set(languages) - LANGUAGES.keys():
        parser.error(f"no such language: {', '.join(sorted(unknown))}")
    strict = bool(languages) or os.environ.get("CI") == "true"
    TOOLS.mkdir(parents=True, exist_ok=True)
    bad = 0
    chosen = []
    for language in languages or LANGUAGES:
        if missing := out_of_reach(language):
            bad += bool(languages)
            print(f"{language}: not generated here, {missing[0]}: {ELSEWHERE[missing[0]]}")
        else:
            chosen.append(language)
    # What several share is fetched once, and apt-get runs alone.
    prepared, failures = _prepare(chosen)
    with ThreadPoolExecutor(2) as pool:
        started = time.monotonic()
        jobs = {pool.submit(tried, language): language for language in prepared}
        for job in as_completed(jobs):
            try:
                print(f"{jobs[job]}: {job.result()}, {time.monotonic() - started:.0f} s in", flush=True)
            except (MissingToolError, OSError) as error:
                failures[jobs[job]] = str(error)
    for language, text in failures.items():
        print(f"{language}: {'failed' if strict else 'skipped'}: {text}")
    return int(bool(bad or (failures and strict)))


def _prepare(languages: list[str]) -> tuple[list[str], dict[str, str]]:
    """Have every generator there, one after the other; returns the languages that have theirs, and why others not."""
    good, failures = [], {}
    for language in languages:
        try:
            with TemporaryDirectory() as folder:
                generate(language, Path(folder))
            good.append(language)
        except (MissingToolError, OSError) as error:
            failures[language] = str(error)
    return good, failures


if __name__ == "__main__":
    sys.exit(main())
