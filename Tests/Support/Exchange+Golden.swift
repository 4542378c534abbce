import Foundation
package import Testing

/// A golden is one exchange in a file:
///
/// ```
/// # Source: twilio-verify.md 4.4          the contract that it follows; a golden without it fails
/// # Why: approved at …                    the reason in the journal, for an error
/// POST /v2/… HTTP/1.1                     the request, as bytes
///
/// HTTP/1.1 201 Created                    the response, as bytes, to the end of the file
/// ```
extension Exchange {
  /// Compares the exchange, byte for byte, with `Golden/<Owner>/<route>/<name>.http` in the folder of the
  /// test's file or its parent folder. With `RECORD=1` in the environment, the golden is written instead.
  package func matches(
    golden name: String, beside testFile: String = #filePath, source: String? = Contract.current?.source,
    at location: SourceLocation = #_sourceLocation
  ) {
    guard let source else {
      Issue.record("a golden needs its source: give the suite a .contract(…)", sourceLocation: location)
      return
    }
    let file = Self.folder(of: testFile).appending(path: "\(place)/\(name).http")
    let found = golden(source: source)
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      record(found, in: file, at: location)
      return
    }
    guard let recorded = try? Data(contentsOf: file) else {
      Issue.record("no golden \(file.path): write it with RECORD=1", sourceLocation: location)
      return
    }
    if let complaint = Golden.complaint(about: Array(recorded), found: found) {
      Issue.record(
        "\(place)/\(name).http: \(complaint)\nSource: \(source)", sourceLocation: location)
    }
  }

  /// `Twilio/createVerification`
  private var place: String {
    let folder = owner.isEmpty ? "Nobody" : owner.prefix(1).uppercased() + owner.dropFirst()
    return "\(folder)/\(route ?? "noRoute")"
  }

  private func golden(source: String) -> [UInt8] {
    var head = "# Source: \(source)\n"
    if let why { head += "# Why: \(why)\n" }
    if !unread.isEmpty { head += "# Unread: \(unread.joined(separator: ", "))\n" }
    let separator = requestBytes.last == UInt8(ascii: "\n") ? "" : "\n\n"
    return Array(head.utf8) + requestBytes + Array(separator.utf8) + responseBytes
  }

  private func record(_ bytes: [UInt8], in file: URL, at location: SourceLocation) {
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
    } catch {
      Issue.record(error, sourceLocation: location)
    }
  }

  /// The test target's own folder: the one below `Tests`.
  private static func folder(of testFile: String) -> URL {
    var folder = URL(filePath: testFile).deletingLastPathComponent()
    while folder.deletingLastPathComponent().lastPathComponent != "Tests", folder.pathComponents.count > 1 {
      folder.deleteLastPathComponent()
    }
    return folder.appending(path: "Golden")
  }
}

/// A problem of a golden, or a difference to it.
package enum Golden {
  /// Nil if the bytes are equal and the golden names its source.
  package static func complaint(about recorded: [UInt8], found: [UInt8]) -> String? {
    let first = recorded.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first ?? []
    guard let line = String(validating: first, as: UTF8.self), line.hasPrefix("# Source: "), line.count > 10
    else {
      return "the golden names no source in its first line"
    }
    guard recorded != found else { return nil }
    let agreed = zip(recorded, found).prefix { $0 == $1 }.count
    return """
      differs at byte \(agreed)
      expected …\(excerpt(of: recorded, around: agreed))…
      found    …\(excerpt(of: found, around: agreed))…
      """
  }

  private static func excerpt(of bytes: [UInt8], around place: Int) -> String {
    let start = max(0, place - 40)
    let end = min(bytes.count, place + 80)
    func text(_ range: Range<Int>) -> String {
      String(decoding: bytes[range], as: UTF8.self)
        .replacingOccurrences(of: "\r", with: "\\r").replacingOccurrences(of: "\n", with: "\\n")
    }
    return start > bytes.count
      ? "" : text(start..<min(place, bytes.count)) + "‹here›" + text(min(place, end)..<end)
  }
}
