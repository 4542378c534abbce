import Foundation
import Support

/// The tests of the contracts' conformance checks.
enum Checks {
  private static let files: [(path: String, text: String)] = {
    let folder = Checkout.root.appending(path: "Tests/Conformance")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { $0.hasPrefix("test_") }.compactMap { name in
      let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
      return text.map { ("Tests/Conformance/\(name)", $0) }
    }
  }()

  /// The file with a test; nil for an unknown one.
  static func file(of test: String) -> String? { entry(of: test)?.path }

  static func text(of test: String) -> String? { entry(of: test)?.text }

  private static func entry(of test: String) -> (path: String, text: String)? {
    files.first { $0.text.contains("def \(test)(") }
  }
}
