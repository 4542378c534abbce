// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Every provider: `Sources/Providers/<Name>`. A new provider is its folder, its name here, and its import and its
/// entry in `Sources/Providers/Catalog/Catalog.swift`.
let providers = ["FCM", "Prelude", "Prove", "Telesign", "Twilio"]

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

func stratum(
  _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil, resources: [Resource] = []
) -> Target {
  .target(name: name, dependencies: dependencies, path: path, resources: resources, swiftSettings: strict)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, exclude: [String] = []
) -> Target {
  .testTarget(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict)
}

/// A provider's target with its seed and its pages, and its unit tests if `Tests/Providers/<Name>` exists.
func provider(_ name: String) -> [Target] {
  let imports: [Target.Dependency] = ["ProviderKit", "Domain", "HTTP", "JSON", "Crypto", "WebAuthn"]
  let path = "Sources/Providers/\(name)"
  let source = stratum(
    name, imports, path: path,
    resources: ["Seed.json", "Pages"].filter { exists("\(path)/\($0)") }.map { .embedInCode($0) })
  let testPath = "Tests/Providers/\(name)"
  guard exists(testPath) else { return [source] }
  return [
    source,
    tests(
      "\(name)Tests", [.byName(name: name), "Support"] + imports, path: testPath,
      exclude: ["Operations.txt"].filter { exists("\(testPath)/\($0)") }),
  ]
}

func exists(_ path: String) -> Bool {
  FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(path)")
}

let package = Package(
  name: "ringfence",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "ringfence", targets: ["ringfence"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    // C libraries, one Swift owner each
    .systemLibrary(
      name: "CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"]), .brew(["libuv"])]),
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(name: "CWslay", providers: [.apt(["libwslay-dev"]), .brew(["wslay"])]),
    .systemLibrary(name: "CCBOR", providers: [.apt(["libcbor-dev"]), .brew(["libcbor"])]),
    .systemLibrary(name: "CLinux"),
    .target(name: "CLLHTTP", cSettings: [.define("LLHTTP_STRICT_MODE", to: "1")]),

    // Layers: each imports only layers above it in this list
    stratum("Loop", ["CUV"]),
    stratum("Isolation", ["CLinux"]),
    stratum("Crypto", ["COpenSSL"]),
    stratum("Database", ["CSQLite"]),
    stratum("JSON"),
    stratum("WebAuthn", ["Crypto", "JSON", "CCBOR"]),
    stratum("HTTP", ["Crypto", "JSON", "CLLHTTP", "CWslay"]),
    stratum("Domain", ["Database", "JSON"], resources: [.embedInCode("Schema")]),
    stratum("ProviderKit", ["Domain", "HTTP", "JSON", "Crypto"], path: "Sources/Providers/Kit"),
    stratum(
      "Catalog", ["ProviderKit"] + providers.map { .byName(name: $0) }, path: "Sources/Providers/Catalog"),
    stratum("Carrier", ["Domain", "HTTP", "JSON", "Crypto"]),
    stratum("Control", ["Carrier", "Domain", "HTTP", "JSON", "Crypto"]),
    stratum("Server", ["Loop", "HTTP", "Crypto"]),
    .executableTarget(
      name: "ringfence",
      dependencies: [
        "Server", "Loop", "Isolation", "Control", "Catalog", "ProviderKit", "Carrier", "Domain", "HTTP",
        "Database", "JSON", "Crypto",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Seeds/schema.json"],
      resources: [.embedInCode("Seeds/default")],
      swiftSettings: strict),

    stratum(
      "Support", ["Carrier", "Catalog", "Control", "Database", "Domain", "HTTP", "JSON", "ProviderKit"],
      path: "Tests/Support"),
    tests("ArchitectureTests", [], exclude: ["Traps.txt"]),
    tests("JSONTests", ["JSON"]),
    tests("DatabaseTests", ["Database"]),
    tests("CryptoTests", ["Crypto"], exclude: ["Certificates"]),
    tests("WebAuthnTests", ["WebAuthn", "Crypto"]),
    stratum("Wire", ["Loop"], path: "Tests/Wire"),
    tests("LoopTests", ["Loop", "Wire"]),
    tests("IsolationTests", ["Isolation"]),
    tests("CommandTests", ["ringfence"]),
    tests("ServerTests", ["Server", "Loop", "HTTP", "Wire"]),
    tests("HTTPTests", ["HTTP", "Support"]),
    tests(
      "KitTests", ["ProviderKit", "Catalog", "Domain", "HTTP", "JSON", "Crypto", "Support"],
      path: "Tests/Providers/Kit"),
    tests("CarrierTests", ["Carrier", "Domain", "HTTP", "JSON", "Support"], exclude: ["Golden"]),
    tests("ControlTests", ["Control", "Domain", "HTTP", "JSON", "Support"], exclude: ["Golden"]),
    tests("DomainTests", ["Domain", "Database", "JSON", "Support"]),
    tests("CoverageTests", ["Catalog", "ProviderKit", "Support"]),
  ] + providers.flatMap(provider)
)
