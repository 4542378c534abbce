"""What is linked into the executable: its licences, and a bill of materials (SPDX 2.3)."""

import hashlib
import json
import os
import pathlib
import re
import time

from executable import BUILD, ROOT, output

APACHE = """\
Apache License, Version 2.0: https://www.apache.org/licenses/LICENSE-2.0
On Debian, it is in /usr/share/common-licenses/Apache-2.0."""
# Debian's packages with the static libraries.
DEBIAN = ("libuv1-dev", "libssl-dev", "libsqlite3-dev", "libnghttp2-dev", "zlib1g-dev", "libstdc++-12-dev",
          "libgcc-12-dev", "node-llhttp")


def debian():
    """The version and the licence of each package, by its name."""
    return {name: (output("dpkg-query", "-W", "-f", "${Version}", name),
                   pathlib.Path(f"/usr/share/doc/{name}/copyright").read_text(encoding="utf-8"))
            for name in DEBIAN}


def swift_packages():
    """The same for the packages of SwiftPM that are linked in."""
    pins = json.loads((ROOT / "Package.resolved").read_text(encoding="utf-8"))["pins"]
    found = {}
    for pin in pins:
        folder = BUILD / "checkouts" / pathlib.Path(pin["location"]).stem
        licence = next(iter(sorted(folder.glob("LICENSE*"))), None)
        if licence:
            version = pin["state"].get("version") or pin["state"]["revision"]
            found[pin["identity"]] = (version, licence.read_text(encoding="utf-8"))
    return found


def swift():
    """The standard library."""
    version = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    licence = next(iter(pathlib.Path(output("which", "swift")).resolve().parents[1].glob("share/swift/LICENSE*")), None)
    return version, licence.read_text(encoding="utf-8") if licence else "Apache-2.0 WITH Swift-exception\n"


def all_parts():
    return {"swift": swift(), **swift_packages(), **debian()}


def licences():
    """The licences of Ringfence and of what is linked in. That of Apache, which many have, is named only."""
    own = (ROOT / "LICENSE").read_text(encoding="utf-8")
    texts = [f"Ringfence\n\n{without_apache(own)}"]
    for name, (version, text) in all_parts().items():
        texts.append(f"{'-' * 72}\nLinked in: {name} {version}\n\n{without_apache(text)}")
    return "\n".join(texts)


def without_apache(text):
    return re.sub(r"\s*Apache License\s+Version 2\.0.*?END OF TERMS AND CONDITIONS", APACHE, text, flags=re.S)


def sbom():
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    commit = output("git", "rev-parse", "HEAD")
    packages = [
        {"SPDXID": f"SPDXRef-{re.sub(r'[^A-Za-z0-9.-]', '-', name)}", "name": name, "versionInfo": version,
         "downloadLocation": "NOASSERTION", "licenseConcluded": "NOASSERTION"}
        for name, (version, _) in all_parts().items()]
    own = {"SPDXID": "SPDXRef-ringfence", "name": "ringfence", "versionInfo": commit,
           "downloadLocation": "NOASSERTION", "licenseConcluded": "Apache-2.0"}
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "ringfence",
        "documentNamespace": f"https://spdx.org/spdxdocs/ringfence-{hashlib.sha256(commit.encode()).hexdigest()}",
        "creationInfo": {"created": created, "creators": ["Tool: Distribution/parts.py"]},
        "packages": [own, *packages],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
             "relatedSpdxElement": "SPDXRef-ringfence"},
            *({"spdxElementId": "SPDXRef-ringfence", "relationshipType": "STATIC_LINK",
               "relatedSpdxElement": package["SPDXID"]} for package in packages)]}, indent=1) + "\n"
