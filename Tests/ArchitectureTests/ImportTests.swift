import Testing

/// The allowed imports of each target.
private let allowedByTarget: [String: Set<String>] = [
  "Loop": ["CStart", "CUV", "CLinux", "Glibc"],
  "Isolation": ["CLinux", "Glibc"],
  "Crypto": ["COpenSSL"],
  "Database": ["CSQLite", "Glibc"],
  "JSON": [],
  "WebAuthn": ["Crypto", "JSON"],
  "QRCode": [],
  "Compression": ["CZlib"],
  "HTTP": ["Crypto", "JSON", "CLinux", "CLLHTTP", "CNGHTTP2"],
  "Domain": ["Database", "JSON"],
  "ProviderKit": ["Domain", "HTTP", "JSON", "Crypto"],
  "Carrier": ["Domain", "HTTP", "JSON", "Crypto", "Markup"],
  "Control": ["Carrier", "Compression", "Domain", "HTTP", "JSON", "Crypto", "QRCode", "WebAuthn"],
  "Markup": [],
  "Console": ["Control", "Domain", "HTTP", "JSON", "Crypto", "Markup", "ProviderKit", "QRCode"],
  "Compare": [
    "Carrier", "Console", "Control", "Domain", "HTTP", "JSON", "Crypto", "Markup", "ProviderKit",
  ],
  "MCP": ["Console", "Control", "Domain", "HTTP", "JSON", "ProviderKit"],
  "Server": ["Loop", "HTTP", "Crypto"],
  "ringfence": [
    "Server", "Loop", "Isolation", "Compare", "Console", "Control", "MCP", "Catalog", "ProviderKit",
    "Carrier", "Domain", "HTTP", "Database", "JSON",
    "Crypto", "QRCode",
    "ArgumentParser", "Logging", "Foundation", "Glibc",
  ],
  // The client for Swift, which other packages use: nothing of this one.
  "Clients": ["Foundation", "FoundationNetworking", "Testing", "XCTest"],
  // The plugin that embeds files, and its tool.
  "Plugins": ["Foundation", "PackagePlugin"],
  // No target, but what its tests may import.
  "Coverage": ["Domain", "JSON"],
]

/// The allowed imports of a provider's target. Only the catalogue may import providers.
private let allowedForProviders: Set<String> = [
  "ProviderKit", "Domain", "HTTP", "JSON", "Crypto", "Markup", "WebAuthn",
]

private func allowedImports(of target: String) -> Set<String> {
  if target == "Catalog" { return Set(Project.providers).union(["ProviderKit"]) }
  return Project.providers.contains(target) || target == "Demo"
    ? allowedForProviders : allowedByTarget[target] ?? []
}

/// Additional imports of test targets.
private let allowedForTests: Set = [
  "Testing", "Demo", "Support", "CatalogSupport", "Wire", "Foundation", "FoundationNetworking", "Glibc",
]

@Suite("Architecture · imports")
struct ImportTests {
  @Test("a target imports only lower layers")
  func sourcesImportDownwards() {
    expectNone(
      Project.sources.flatMap { file in
        findings(in: file, allowed: allowedImports(of: file.target), because: file.target)
      })
  }

  @Test("a test target imports its own target and what that target may import")
  func testsImportTheirTarget() {
    let files = Project.files.filter { $0.path.hasPrefix("Tests/") && $0.path.hasSuffix(".swift") }
    expectNone(
      files.filter { $0.target.hasSuffix("Tests") }.flatMap { file in
        let target =
          ["CommandTests": "ringfence", "KitTests": "ProviderKit"][file.target]
          ?? String(file.target.dropLast("Tests".count))
        let allowed = allowedForTests.union([target, "Catalog", "ProviderKit"]).union(
          allowedImports(of: target))
        return findings(in: file, allowed: allowed, because: file.target)
      })
  }

  @Test("every Swift target is in the table of allowed imports")
  func everyTargetIsListed() {
    let unlisted = Set(Project.sources.map(\.target)).subtracting(allowedByTarget.keys)
      .subtracting(Project.providers).subtracting(["Catalog"])

    #expect(unlisted.isEmpty, "add them to the table in ImportTests.swift: \(unlisted.sorted())")
  }

  private func findings(in file: TextFile, allowed: Set<String>, because folder: String) -> [Finding] {
    file.code.enumerated().filter { $0.element.contains("import ") }.compactMap { number, line in
      let pattern = #/^\s*(?:@\w+ )?(?:\w+ )?import (?:struct |class |enum |func )?(\w+)/#
      guard let name = line.firstMatch(of: pattern)?.1, !allowed.contains(String(name)) else { return nil }
      let list = allowed.sorted().joined(separator: ", ")
      return Finding(
        path: file.path, line: number + 1,
        why: "\(folder) may not import \(name), only: \(list.isEmpty ? "nothing" : list)")
    }
  }
}
