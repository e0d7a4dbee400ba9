# SPDX-License-Identifier: MIT
"""Writes the software bill of materials of a build, in SPDX 2.3: the driver, what it contains and
what it loads. Equal builds give equal files.

usage: sbom.py OUTPUT NAME VERSION DATE [contains|loads=NAME=VERSION=LICENCE=CHECKSUM|-]..."""
import hashlib
import json
import sys


def package(name, version, licence, checksum):
    entry = {"SPDXID": f"SPDXRef-{name}", "name": name, "downloadLocation": "NOASSERTION",
             "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
             "copyrightText": "NOASSERTION"}
    if version != "-":
        entry["versionInfo"] = version
    if checksum != "-":
        entry["checksums"] = [{"algorithm": "SHA256", "checksumValue": checksum}]
    return entry


def main():
    output, name, version, date = sys.argv[1:5]
    parts = [part.split("=") for part in sys.argv[5:]]
    is_gpl = any(part[0] == "contains" and part[3].startswith("GPL") for part in parts)
    packages = [package(name, version, "GPL-2.0-or-later" if is_gpl else "MIT", "-")]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": f"SPDXRef-{name}"}]
    for relation, *fields in parts:
        packages.append(package(*fields))
        relations.append({"spdxElementId": f"SPDXRef-{name}",
                          "relationshipType": {"contains": "CONTAINS",
                                               "loads": "OPTIONAL_DEPENDENCY_OF"}[relation],
                          "relatedSpdxElement": f"SPDXRef-{fields[0]}"})
        if relation == "loads":  # the dependency is the subject there
            last = relations[-1]
            last["spdxElementId"], last["relatedSpdxElement"] = (last["relatedSpdxElement"],
                                                                 last["spdxElementId"])
    digest = hashlib.sha256(json.dumps(packages).encode()).hexdigest()
    document = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
                "name": f"{name}-{version}",
                "documentNamespace": f"urn:reelpipe:sbom:{version}:{digest}",
                "creationInfo": {"created": f"{date}T00:00:00Z", "creators": ["Tool: sbom.py"]},
                "packages": packages, "relationships": relations}
    with open(output, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=2)
        file.write("\n")


main()
