// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that an ordinary build knows nothing of it. `Sources` are links to the real
// targets; they share the package name, so `package` declarations are in reach.

let settings: [SwiftSetting] = [.enableUpcomingFeature("InternalImportsByDefault")]

func fuzz(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: "Fuzz\(name)", dependencies: dependencies, path: "Targets/\(name)",
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
}

let package = Package(
  name: "ringfence",
  targets: [
    .target(name: "CLLHTTP", cSettings: [.define("LLHTTP_STRICT_MODE", to: "1")]),
    .target(name: "JSON", swiftSettings: settings),
    .target(name: "HTTP", dependencies: ["JSON", "CLLHTTP"], swiftSettings: settings),
    .target(
      name: "Domain", dependencies: ["JSON"], path: "Sources/Domain/Time",
      sources: ["Timestamp.swift", "TimestampParsing.swift"],
      swiftSettings: settings),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl"),
    .target(name: "Crypto", dependencies: ["COpenSSL"], swiftSettings: settings),
    fuzz("Head", ["HTTP"]),
    fuzz("Form", ["HTTP"]),
    fuzz("Answer", ["HTTP"]),
    fuzz("URL", ["HTTP"]),
    fuzz("JSON", ["JSON"]),
    fuzz("Time", ["Domain"]),
    fuzz("Certificates", ["Crypto"]),
  ]
)
