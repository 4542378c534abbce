import Testing

/// The modules outside this package, and the targets that may import them. What targets import of each other
/// is in Package.swift, and the build checks it (`--explicit-target-dependency-import-check`).
private let importers: [String: Set<String>] = [
  "CLLHTTP": ["HTTP"], "CLinux": ["HTTP", "Isolation", "Loop"], "CNGHTTP2": ["HTTP"],
  "COpenSSL": ["Crypto"], "CSQLite": ["Database"], "CStart": ["Loop"], "CUV": ["Loop"],
  "CZlib": ["Compression", "Plugins"], "ArgumentParser": ["ringfence"], "Logging": ["ringfence"],
  "Glibc": ["Database", "Isolation", "Loop", "ringfence"],
  "Foundation": ["Clients", "Plugins", "ringfence"], "FoundationNetworking": ["Clients"],
  "PackagePlugin": ["Plugins"], "Testing": ["Clients"], "XCTest": ["Clients"],
]

@Suite("Architecture · imports")
struct ImportTests {
  @Test("only some targets import modules of C, of the system and of other packages")
  func foreignModules() {
    let own = Set(Project.sources.map(\.target)).union(["ProviderKit"])
    let pattern = #/^\s*(?:@\w+ )?(?:\w+ )?import (?:struct |class |enum |func )?(\w+)/#

    expectNone(
      Project.sources.flatMap { file in
        file.code.enumerated().filter { $0.element.contains("import ") }.compactMap { number, line in
          guard let name = line.firstMatch(of: pattern).map({ String($0.1) }), !own.contains(name),
            importers[name]?.contains(file.target) != true
          else { return nil }
          return Finding(path: file.path, line: number + 1, why: "\(file.target) may not import \(name)")
        }
      })
  }
}
