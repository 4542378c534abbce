// swift-tools-version: 6.2
import Foundation
import PackageDescription

// A separate package, so that ordinary builds skip it. `Sources` links to the real
// targets. The package name is the same, so `package` declarations are visible.
// `Seeds` is a link because `Support` looks for it two folders above its own.

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
]

func fuzz(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .executableTarget(
    name: "Fuzz\(name)", dependencies: dependencies, path: "Targets/\(name)", exclude: exclude,
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
}

func stratum(
  _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, sources: [String]? = nil,
  resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path, sources: sources, resources: resources,
    swiftSettings: settings)
}

func exists(_ path: String) -> Bool {
  FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(path)")
}

/// The folders with a provider's seed.
let providers =
  (try? FileManager.default.contentsOfDirectory(
    atPath: "\(Context.packageDirectory)/Sources/Providers"))?
  .filter { exists("Sources/Providers/\($0)/Seed.json") }.sorted() ?? []

let package = Package(
  name: "ringfence",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "CLLHTTP", cSettings: [.define("LLHTTP_STRICT_MODE", to: "1")]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
    stratum("JSON", []),
    stratum("Markup", []),
    stratum("QRCode", []),
    stratum("Compression", ["CZlib"]),
    stratum("HTTP", ["Crypto", "JSON", "CLLHTTP", "CNGHTTP2"]),
    stratum("Crypto", ["COpenSSL"]),
    stratum("WebAuthn", ["Crypto", "JSON"]),
    stratum("Database", ["CSQLite"]),
    stratum("Domain", ["Database", "JSON"], resources: [.embedInCode("Schema")]),
    stratum("ProviderKit", ["Domain", "HTTP", "JSON", "Crypto"], path: "Sources/Providers/Kit"),
    stratum(
      "Catalog", ["ProviderKit"] + providers.map { .byName(name: $0) }, path: "Sources/Providers/Catalog"),
    stratum("Carrier", ["Domain", "HTTP", "JSON", "Crypto"]),
    stratum("Control", ["Carrier", "Compression", "Domain", "HTTP", "JSON", "Crypto", "QRCode", "WebAuthn"]),
    stratum(
      "Console", ["Control", "Domain", "HTTP", "JSON", "Crypto", "Markup", "QRCode"],
      resources: [.embedInCode("Assets")]),
    stratum(
      "MCP", ["Console", "Control", "Domain", "HTTP", "JSON", "ProviderKit"],
      resources: [.embedInCode("Assets")]),
    stratum(
      "Support",
      ["Carrier", "Catalog", "Console", "Control", "Database", "Domain", "HTTP", "MCP", "ProviderKit"],
      sources: ["Provider+Seed.swift", "TestReceiver.swift", "TestSandbox.swift"]),
    stratum(
      "Compare",
      ["Carrier", "Console", "Control", "Domain", "HTTP", "JSON", "Crypto", "Markup", "ProviderKit"]),
    fuzz("Head", ["HTTP"]),
    fuzz("Form", ["HTTP"]),
    fuzz("Answer", ["HTTP"]),
    fuzz("URL", ["HTTP"]),
    fuzz("Forwarded", ["HTTP"]),
    fuzz("WebSocket", ["HTTP"]),
    fuzz("HTTP2", ["HTTP"]),
    fuzz("JSON", ["JSON"]),
    fuzz("Recording", ["Catalog", "Compare", "Support"]),
    fuzz("Time", ["Domain"]),
    fuzz("WebAuthn", ["WebAuthn"]),
    fuzz("Token", ["Crypto", "Domain", "JSON", "ProviderKit"]),
    fuzz("MCP", ["HTTP", "JSON", "Support"]),
    fuzz("Certificates", ["Crypto"]),
    fuzz(
      "Dispatcher", ["Support", "Control", "Database", "Domain", "HTTP", "JSON"],
      exclude: ["Requests.json"]),
  ]
    + providers.map { provider in
      stratum(
        provider, ["ProviderKit", "Domain", "HTTP", "JSON", "Crypto", "WebAuthn"],
        path: "Sources/Providers/\(provider)",
        resources: ["Seed.json", "Pages", "Errors.http"].filter {
          exists("Sources/Providers/\(provider)/\($0)")
        }
        .map { .embedInCode($0) })
    }
)
