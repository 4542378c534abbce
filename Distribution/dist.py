"""Builds what people install: `make dist`, or `python3 Distribution/dist.py FOLDER`.

Writes an executable, a tarball with completions, manual pages and the clients for Go, Java, PHP and Ruby, a Debian
package, a Python wheel, packages for JavaScript, the licences of what is linked in, an SBOM and checksums. Two builds
of a commit are equal byte for byte.
"""

import base64
import email.utils
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import executable
import manual
import parts
from executable import ROOT, output, run

SUMMARY = "A sandbox server for phone verification: emulates the providers and the mobile network"
MAINTAINER = "Ringfence <ringfence@example.com>"
PAGE = "https://github.com/ringfence/ringfence"
SHELLS = {
    "bash": "share/bash-completion/completions/ringfence", "zsh": "share/zsh/site-functions/_ringfence",
    "fish": "share/fish/vendor_completions.d/ringfence.fish"}


def main(folder):
    folder = pathlib.Path(folder).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    package(executable.build(folder / "ringfence"), folder)
    for file in sorted(folder.iterdir()):
        print(f"{file.stat().st_size / 1_048_576:8.1f} MiB  {file.name}")


def package(program, folder):
    """Writes everything else."""
    take_time_of_commit()
    version = program_version()
    tree = tree_of(program, folder / "tree")
    machine = output("uname", "-m")
    tarball(tree, folder / f"ringfence-{version}-linux-{machine}.tar.gz", f"ringfence-{version}")
    debian_package(tree, folder, version.replace("-", "~"))
    for language in ("javascript", "python"):
        run(sys.executable, ROOT / f"Tests/Tools/{language}_types.py", program)
    wheel(program, folder, version.replace("-dev", ".dev0"), machine)
    javascript_packages(program, folder, version, machine)
    shutil.copy(tree / "share/doc/ringfence/sbom.spdx.json", folder / "sbom.spdx.json")
    shutil.rmtree(tree)
    files = sorted(file for file in folder.iterdir() if file.name != "SHA256SUMS")
    (folder / "SHA256SUMS").write_text("".join(
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files))


def take_time_of_commit():
    """For everything that has a time."""
    os.environ["SOURCE_DATE_EPOCH"] = output("git", "log", "-1", "--format=%ct")


def program_version():
    source = ROOT / "Sources/ringfence/RingfenceCommand.swift"
    return re.search(r'version = "([^"]+)"', source.read_text(encoding="utf-8"))[1]


def tree_of(program, tree):
    """The files below /usr."""
    def write(path, content):
        path = tree / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    write("bin/ringfence", program.read_bytes())
    (tree / "bin/ringfence").chmod(0o755)
    for shell, path in SHELLS.items():
        # It is read by a shell, and no program.
        write(path, output(program, "--generate-completion-script", shell).removeprefix("#!/bin/bash\n\n") + "\n")
    for name, page in manual.pages(program):
        write(f"share/man/man1/{name}.1.gz", gzip.compress(page.encode(), mtime=0))
    for language in ("go", "java", "php", "ruby"):
        for file in (ROOT / "Sources/Clients" / language).rglob("*.*"):
            write(f"share/ringfence/clients/{file.relative_to(ROOT / 'Sources/Clients')}", file.read_bytes())
    write("share/doc/ringfence/copyright", parts.licences())
    write("share/doc/ringfence/sbom.spdx.json", parts.sbom())
    return tree


def time():
    return int(os.environ["SOURCE_DATE_EPOCH"])


def tarball(tree, path, top):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for file in sorted(tree.rglob("*")):
            if file.is_file():
                entry = tarfile.TarInfo(f"{top}/{file.relative_to(tree)}")
                entry.size, entry.mtime, entry.mode = file.stat().st_size, time(), file.stat().st_mode & 0o777
                archive.addfile(entry, io.BytesIO(file.read_bytes()))
    path.write_bytes(gzip.compress(content.getvalue(), 6, mtime=0))


def debian_package(tree, folder, version):
    root = folder / "debian"
    shutil.copytree(tree, root / "usr")
    (root / "lib/systemd/system").mkdir(parents=True)
    shutil.copy(ROOT / "Distribution/ringfence.service", root / "lib/systemd/system/ringfence.service")
    changes = (f"ringfence ({version}) unstable; urgency=medium\n\n  * {PAGE}/blob/main/Docs/CHANGELOG.md\n\n"
               f" -- {MAINTAINER}  {email.utils.formatdate(time())}\n")
    (root / "usr/share/doc/ringfence/changelog.gz").write_bytes(gzip.compress(changes.encode(), mtime=0))
    (root / "usr/share/lintian/overrides").mkdir(parents=True)
    (root / "usr/share/lintian/overrides/ringfence").write_text(
        "# Decision 0074: a start is a third faster.\nringfence: hardening-no-pie [usr/bin/ringfence]\n"
        "# It needs only libc: other libraries are linked in, and are in copyright and SBOM.\n"
        "ringfence: embedded-library zlib [usr/bin/ringfence]\n")
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/control").write_text(f"""\
Package: ringfence
Version: {version}
Architecture: {output("dpkg", "--print-architecture")}
Maintainer: {MAINTAINER}
Depends: libc6 (>= {glibc(folder / "ringfence")})
Recommends: ca-certificates
Section: net
Priority: optional
Homepage: {PAGE}
Description: {SUMMARY.split(":")[0].removeprefix("A ")}
 One binary emulates Twilio Verify, Telesign, Prelude, Vonage, Prove, Sinch,
 CAMARA, Hyphen 2FA, FCM and APNs, and the mobile network behind them.
 Official SDKs work unmodified; codes are read from an inbox, and nothing is
 really sent.
""")
    for path in sorted(root.rglob("*")):
        path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
    run("dpkg-deb", "-z3", "--build", "--root-owner-group", root, folder, stdout=subprocess.DEVNULL)
    shutil.rmtree(root)


def glibc(program):
    """The oldest glibc with all that the program needs."""
    versions = re.findall(r"GLIBC_([0-9.]+)", output("objdump", "-T", program))
    return max(versions, key=lambda version: [int(part) for part in version.split(".")])


def wheel(program, folder, version, machine):
    """A Python wheel with the program, and with the package for tests."""
    name = f"ringfence-{version}"
    tag = f"py3-none-manylinux_{glibc(program).replace('.', '_')}_{machine}"
    readme = (ROOT / "Distribution/PyPI.md").read_text(encoding="utf-8")
    package = ROOT / "Sources/Clients/python"
    files = {
        str(path.relative_to(package)): path.read_bytes() for path in sorted(package.glob("ringfence/*"))
        if path.suffix in (".py", ".typed")}
    files |= {
        f"{name}.data/scripts/ringfence": program.read_bytes(),
        f"{name}.dist-info/METADATA": (
            f"Metadata-Version: 2.4\nName: ringfence\nVersion: {version}\nSummary: {SUMMARY}\n"
            f"Classifier: Framework :: Pytest\nClassifier: Typing :: Typed\n"
            f"License-Expression: Apache-2.0\nRequires-Python: >=3.9\nProject-URL: Source, {PAGE}\n"
            f"Description-Content-Type: text/markdown\n\n{readme}").encode(),
        f"{name}.dist-info/WHEEL": (
            f"Wheel-Version: 1.0\nGenerator: ringfence\nRoot-Is-Purelib: false\nTag: {tag}\n").encode(),
        f"{name}.dist-info/entry_points.txt": b"[pytest11]\nringfence = ringfence.pytest_plugin\n",
        f"{name}.dist-info/licenses/copyright": parts.licences().encode(),
        f"{name}.dist-info/sboms/sbom.spdx.json": parts.sbom().encode(),
    }
    record = "".join(
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()},"
        f"{len(content)}\n" for path, content in files.items())
    files[f"{name}.dist-info/RECORD"] = f"{record}{name}.dist-info/RECORD,,\n".encode()
    with zipfile.ZipFile(folder / f"{name}-{tag}.whl", "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if path.endswith("scripts/ringfence") else 0o100644) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)


def javascript_packages(program, folder, version, machine):
    """The client for JavaScript, and the program as a package of its platform, which the client's package brings along."""
    platform = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}[machine]
    name = f"@ringfence/{platform}"
    about = {
        "name": name, "version": version, "description": f"The program of the package ringfence for {platform}",
        "license": "Apache-2.0", "os": ["linux"], "cpu": [platform.removeprefix("linux-")], "libc": ["glibc"],
        "files": ["bin"], "preferUnplugged": True}
    own = {"package.json": package_json(about), "bin/ringfence": program.read_bytes(), "LICENSE": parts.licences().encode()}
    npm_tarball(own, folder / f"ringfence-{platform}-{version}.tgz")

    source = ROOT / "Sources/Clients/javascript"
    client = json.loads((source / "package.json").read_text(encoding="utf-8"))
    patterns = ["README.md"]
    for pattern in client["files"]:
        patterns.append(f"{pattern}/**/*" if (source / pattern).is_dir() else pattern)
    files = {str(file.relative_to(source)): file.read_bytes()
             for pattern in patterns for file in source.glob(pattern) if file.is_file()}
    client |= {"optionalDependencies": {name: version}, "bundleDependencies": [name]}
    files |= {"package.json": package_json(client), "LICENSE": (ROOT / "LICENSE").read_bytes()}
    files |= {f"node_modules/{name}/{path}": content for path, content in own.items()}
    npm_tarball(files, folder / f"ringfence-{version}.tgz")


def package_json(members):
    return (json.dumps(members, indent=2) + "\n").encode()


def npm_tarball(files, path):
    """What `npm pack` makes, with npm's time of all files."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, file in sorted(files.items()):
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mtime, entry.mode = len(file), 499162500, 0o755 if "bin/" in name else 0o644
            archive.addfile(entry, io.BytesIO(file))
    path.write_bytes(gzip.compress(content.getvalue(), 6, mtime=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
