import CatalogSupport
import Domain
import Foundation
import JSON
import Support
import Testing

/// C9: what an operation answers with decides if it needs `secret: true`, not a list of names.
@Suite("Answers with secrets")
struct SecretAnswerTests {
  private let document: JSON

  init() throws {
    let answer = try TestSandbox.withCatalog().send(.to("/control/openapi.json")).answer
    document = try JSON(parsing: Array(answer.utf8.dropFirst("200 ".utf8.count)), limits: .seed)
  }

  @Test("C9: no cache keeps an answer of the control API with credentials, tokens or codes")
  func uncached() throws {
    var secret: Set<String> = []
    for path in members(of: document["paths"]) {
      for operation in members(of: path.value) {
        guard case .string(let name)? = operation.value["operationId"] else { continue }
        let goldens = GoldenFile.all(of: "Control", route: name).filter { (200...299).contains($0.status) }
        guard hasSecrets(operation.value) || goldens.contains(where: { isCode($0.body) }) else { continue }
        secret.insert(name)
        // Tokens need a server that requires one: AccessTokenTests.
        #expect(!goldens.isEmpty || name == "createSandboxToken", "\(name)")
        for golden in goldens {
          #expect(golden.head.contains("Cache-Control: no-store"), "\(golden.path)")
        }
      }
    }
    // Of each kind: a join phrase, a token, anything, a code, a code as plain text.
    #expect(
      secret.isSuperset(of: [
        "addParticipants", "createSIMToken", "listRecords", "listInbox", "fetchLatestCode",
      ]))
    #expect(secret.isDisjoint(with: ["fetchClock", "listFaults", "livez", "fetchOpenAPI"]))
  }

  /// True if an answer of success can have a secret.
  private func hasSecrets(_ operation: JSON) -> Bool {
    members(of: operation["responses"]).filter { $0.name.hasPrefix("2") }.contains { answer in
      members(of: answer.value["content"]).contains { content in
        var seen: Set<String> = []
        return content.value["schema"].map { hasSecrets($0, &seen) } ?? false
      }
    }
  }

  private func hasSecrets(_ schema: JSON, _ seen: inout Set<String>) -> Bool {
    if case .string(let reference)? = schema["$ref"] {
      let name = String(reference.split(separator: "/").last ?? "")
      guard seen.insert(name).inserted, let named = document["components"]?["schemas"]?[name] else {
        return false
      }
      return hasSecrets(named, &seen)
    }
    for property in members(of: schema["properties"]) {
      if isSecret(property) || hasSecrets(property.value, &seen) { return true }
    }
    var parts = ["items", "additionalProperties"].compactMap { schema[$0] }
    if case .array(let others)? = schema["anyOf"] { parts += others }
    return parts.contains { hasSecrets($0, &seen) }
  }

  /// A member with a secret's name, a code that is not that of an error, or one that can be anything.
  private func isSecret(_ property: JSON.Member) -> Bool {
    let names = members(of: property.value).map(\.name)
    if Set(names).isSubset(of: ["description", "readOnly"]) { return true }
    if property.name == "code", case .string(let text)? = property.value["description"] {
      return !text.contains("error") && !text.contains("faults")
    }
    return SecretNames.common.contains(header: ArraySlice(property.name.utf8))
      || ["credentials", "phrase"].contains(property.name)
  }

  /// A code as plain text.
  private func isCode(_ body: [UInt8]) -> Bool { body.count > 3 && body.allSatisfy { $0.isDigit } }

  private func members(of json: JSON?) -> [JSON.Member] {
    if case .object(let members)? = json { members } else { [] }
  }
}

extension GoldenFile {
  /// The lines of the response's head.
  fileprivate var head: ArraySlice<Substring> {
    let lines = String(decoding: bytes.dropLast(body.count), as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines[(lines.lastIndex { $0.hasPrefix("HTTP/1.1 ") } ?? lines.endIndex)...]
  }
}
