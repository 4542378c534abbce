// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that ordinary builds skip it. `Sources` links to the real
// targets. The package name is the same, so `package` declarations are visible.

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
