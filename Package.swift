// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Every provider: `Sources/Providers/<Name>`. A new provider is its folder, its name here, and its import
/// and its entry in `Sources/Providers/Catalog/Catalog.swift`.
let providers = [
  "APNs", "CAMARA", "FCM", "Hyphen", "Prelude", "Prove", "Sinch", "Telesign", "Twilio", "Vonage",
]

/// `Tests/Fuzz/run` asks for sanitizers. `embed` has none: it runs while the others are built.
let isFuzzed = Context.environment["RINGFENCE_FUZZ"] != nil
let sanitizers = isFuzzed ? ["-sanitize=fuzzer,address"] : []

/// SwiftPM refuses unsafe flags in what other packages use: the client has none.
let checked: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
]
let strict: [SwiftSetting] =
  isFuzzed
  ? checked + [.unsafeFlags(sanitizers)]
  : checked + [
    .unsafeFlags(
      ["-enforce-exclusivity=unchecked", "-Xfrontend", "-function-sections"], .when(configuration: .release))
  ]

/// For what no request of a test waits for.
let small = strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// Optimised in debug builds, too, because every test of Swift and Python spends its time there (decision 0078).
let optimised = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// What every API is made of: those of the providers, the carrier and our own.
let core: [Target.Dependency] = ["Basics", "Numbers", "Domain", "Silent", "HTTP", "JSON", "Crypto"]

func library(_ name: String, pkgConfig: String? = nil, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

/// With `embedsFiles`, what is not Swift in the target's folder is embedded, such as pages and seeds.
func stratum(
  _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil, embedsFiles: Bool = false,
  exclude: [String] = [], settings: [SwiftSetting] = strict
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: settings,
    plugins: embedsFiles ? ["EmbedFiles"] : [])
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, exclude: [String] = []
) -> Target {
  .testTarget(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict)
}

/// A provider with its seed and pages, and its unit tests if `Tests/Providers/<Name>` exists.
func provider(_ name: String, in folder: String = "Sources/Providers") -> [Target] {
  let imports = core + ["Compression", "Markup", "ProviderKit", "WebAuthn"]
  let source = stratum(name, imports, path: "\(folder)/\(name)", embedsFiles: true)
  let tested = "Tests/Providers/\(name)"
  let others = tests(
    "\(name)Tests", imports + [.byName(name: name), "Support"], path: tested,
    exclude: ["Operations.txt"].filter { exists("\(tested)/\($0)") })
  return exists(tested) ? [source, others] : [source]
}

/// A program for libFuzzer, which nothing else can link.
func fuzz(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> [Target] {
  guard isFuzzed else { return [] }
  return [
    .executableTarget(
      name: "Fuzz\(name)", dependencies: dependencies + ["FuzzMain"], path: "Tests/Fuzz/Targets/\(name)",
      exclude: exclude, swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [.unsafeFlags(sanitizers)])
  ]
}

/// The main function of each of them.
var fuzzMain: Target {
  let folder = "\(Context.packageDirectory)/Tests/Fuzz/Targets"
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  let programs = names.map { "PROGRAM(Fuzz\($0))" }.joined(separator: " ")
  return .target(name: "FuzzMain", path: "Tests/Fuzz/Main", cSettings: [.define("PROGRAMS", to: programs)])
}

func exists(_ path: String) -> Bool {
  FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(path)")
}

let package = Package(
  name: "ringfence",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "RingfenceTesting", targets: ["RingfenceTesting"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
  ],
  targets: [
    // C libraries, one Swift owner each
    library("CUV", pkgConfig: "libuv", apt: "libuv1-dev", brew: "libuv"),
    library("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev", brew: "openssl@3"),
    library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    library("CNGHTTP2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev", brew: "libnghttp2"),
    library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
    .systemLibrary(name: "CLinux"),
    .target(name: "CStart"),
    .target(
      name: "CLLHTTP",
      cSettings: [
        .define("LLHTTP_STRICT_MODE", to: "1"),
        .unsafeFlags(isFuzzed ? ["-fsanitize=fuzzer-no-link,address"] : []),
      ]),

    .plugin(
      name: "EmbedFiles", capability: .buildTool, dependencies: ["embed"], path: "Sources/Plugins/EmbedFiles"),
    .executableTarget(
      name: "embed", dependencies: ["CZlib"], path: "Sources/Plugins/embed", swiftSettings: checked),

    // Layers: each imports only those above it
    stratum("Loop", ["CStart", "CUV", "CLinux"]),
    stratum("Isolation", ["CLinux"]),
    stratum("Crypto", ["COpenSSL"], settings: optimised),
    stratum("Database", ["CSQLite"], settings: optimised),
    stratum("JSON", settings: optimised),
    stratum("Markup", settings: optimised),
    stratum("QRCode", settings: small),
    stratum("Compression", ["CZlib"]),
    stratum("WebAuthn", ["Crypto", "JSON"]),
    stratum("HTTP", ["Crypto", "JSON", "CLinux", "CLLHTTP", "CNGHTTP2"], settings: optimised),
    stratum("Basics", ["JSON"], settings: optimised),
    stratum("Numbers", ["Basics", "JSON"], embedsFiles: true, settings: optimised),
    stratum("Domain", ["Basics", "Database", "JSON", "Numbers"], embedsFiles: true, settings: optimised),
    stratum("Silent", ["Basics", "Database", "Domain", "JSON", "Numbers"], settings: optimised),
    stratum(
      "Snapshots", ["Basics", "Database", "Domain", "HTTP", "JSON", "Numbers", "Silent"], settings: optimised),
    stratum("ProviderKit", core, path: "Sources/Providers/Kit", embedsFiles: true),
    stratum(
      "Catalog", ["ProviderKit"] + providers.map { .byName(name: $0) }, path: "Sources/Providers/Catalog"),
    stratum("Carrier", core + ["Markup"]),
    // What `Docs` has for users
    stratum(
      "Guides", ["Compression", "Crypto", "JSON"], embedsFiles: true,
      exclude: [
        "Contracts", "Examples", "Pictures", "Adding-a-provider.md", "Benchmarks.md", "CHANGELOG.md",
        "Coverage.md", "Decisions.md", "Tour.md",
      ].map { "Docs/\($0)" }),
    stratum(
      "Control", core + ["Carrier", "Compression", "Guides", "QRCode", "Snapshots", "WebAuthn"],
      embedsFiles: true, exclude: ["Checks"]),
    stratum(
      "Console", core + ["Control", "Guides", "Markup", "ProviderKit", "QRCode", "Snapshots"],
      embedsFiles: true, settings: small),
    stratum("Compare", core + ["Carrier", "Console", "Control", "Markup", "ProviderKit"], settings: small),
    stratum("MCP", core + ["Console", "Control", "Guides", "ProviderKit"], settings: small),
    stratum("Server", ["Loop", "HTTP", "Crypto"]),
    .executableTarget(
      name: "ringfence",
      dependencies: core + [
        "Server", "Loop", "Isolation", "Compare", "Console", "Control", "Guides", "MCP", "Catalog",
        "ProviderKit", "Carrier", "Database", "QRCode", "Snapshots",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Seeds/schema.json", "Seeds/story-schema.json"], swiftSettings: strict,
      plugins: ["EmbedFiles"]),

    // For other packages, so it depends on nothing here
    .target(name: "RingfenceTesting", path: "Sources/Clients/swift", swiftSettings: checked),
    tests("RingfenceTestingTests", ["RingfenceTesting"], path: "Tests/Clients/swift"),

    stratum(
      "Support", core + ["Carrier", "Control", "Database", "ProviderKit"], path: "Tests/Support",
      settings: optimised),
    stratum(
      "CatalogSupport",
      core + ["Catalog", "Console", "Control", "Database", "MCP", "ProviderKit", "Support"],
      path: "Tests/CatalogSupport"),
    tests("ArchitectureTests", []),
    tests("CryptoTests", ["Crypto"], exclude: ["Certificates"]),
    tests("CompressionTests", ["Compression", "CZlib"]),
    tests("WebAuthnTests", ["WebAuthn", "Crypto"]),
    stratum("Wire", ["Loop"], path: "Tests/Wire"),
    tests("LoopTests", ["Loop", "Wire"]),
    tests("CommandTests", ["ringfence"]),
    tests("ServerTests", ["Server", "Loop", "HTTP", "Wire"]),
    tests("HTTPTests", ["HTTP", "CatalogSupport", "Support"]),
    tests(
      "KitTests", core + ["ProviderKit", "Catalog", "CatalogSupport", "Demo", "Support"],
      path: "Tests/Providers/Kit"),
    tests("CheckTests", core + ["Catalog", "ProviderKit", "Support"], path: "Tests/Providers/Checks"),
    tests("CarrierTests", core + ["Carrier", "Support"], exclude: ["Golden"]),
    tests("CompareTests", core + ["Compare", "Control", "Support"]),
    tests(
      "ConsoleTests", core + ["Catalog", "CatalogSupport", "Console", "Control", "Guides", "Support"]),
    tests(
      "MCPTests",
      core + ["Catalog", "CatalogSupport", "Control", "MCP", "ProviderKit", "Support"],
      exclude: ["Golden"]),
    tests(
      "ControlTests", core + ["CatalogSupport", "Compression", "Control", "Snapshots", "Support"],
      exclude: ["Golden"]),
    tests("DomainTests", core + ["Database", "Snapshots", "Support"]),
    tests(
      "CoverageTests",
      core + ["Catalog", "CatalogSupport", "Control", "ProviderKit", "Support"]),
  ] + providers.flatMap { provider($0) } + provider("Demo", in: "Tests/Example")
    + ["Database", "Isolation", "JSON", "Markup", "QRCode"].map { tests("\($0)Tests", [.byName(name: $0)]) }
    + ["Head", "Form", "Answer", "URL", "Forwarded", "WebSocket", "HTTP2"].flatMap { fuzz($0, ["HTTP"]) }
    + fuzz("JSON", ["JSON"]) + fuzz("Time", ["Basics"]) + fuzz("WebAuthn", ["WebAuthn"])
    + fuzz("Certificates", ["Crypto"]) + fuzz("Token", core + ["ProviderKit"])
    + ["Code", "Pattern"].flatMap { fuzz($0, ["Domain"]) }
    + fuzz("TwiML", ["Twilio"])
    + fuzz("MCP", ["CatalogSupport", "HTTP", "JSON", "Support"])
    + fuzz("Recording", ["Catalog", "CatalogSupport", "Compare", "Support"])
    + fuzz(
      "Dispatcher", core + ["Catalog", "CatalogSupport", "Control", "Database", "Support"],
      exclude: ["Requests.json"])
    + (isFuzzed ? [fuzzMain] : [])
)
