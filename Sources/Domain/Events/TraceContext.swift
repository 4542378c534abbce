/// The place of a request in a distributed trace, by which others find what it has caused. Source: W3C, Trace
/// Context, 3.2 and 3.3.
package struct TraceContext: Equatable, Sendable {
  package let parent: String
  package let state: String?

  /// From the values of `traceparent` and `tracestate` fields. Nil without a valid `traceparent`; an invalid
  /// `tracestate` is dropped alone.
  package init?(parents: [String], states: [String]) {
    guard parents.count == 1, Self.isValid(parent: parents[0]) else { return nil }
    parent = parents[0]
    let joined = states.filter { !$0.isEmpty }.joined(separator: ",")
    state = Self.isValid(state: joined) ? joined : nil
  }

  /// As in a database column.
  init?(column: String) {
    let lines = column.split(separator: "\n", maxSplits: 1).map(String.init)
    self.init(parents: Array(lines.prefix(1)), states: Array(lines.dropFirst()))
    guard self.column == column else { return nil }
  }

  var column: String { state.map { "\(parent)\n\($0)" } ?? parent }

  /// The header fields of a request that it has caused.
  package var fields: [WebhookRequest.Field] {
    [WebhookRequest.Field("traceparent", parent)] + (state.map { [.init("tracestate", $0)] } ?? [])
  }

  private static let zero = UInt8(ascii: "0")
  private static let dash = UInt8(ascii: "-")

  /// `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`; later versions may have more.
  private static func isValid(parent text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 55, bytes.count <= 512, bytes.allSatisfy({ 0x21...0x7E ~= $0 }) else { return false }
    let parts = [bytes[0..<2], bytes[3..<35], bytes[36..<52], bytes[53..<55]]
    guard [2, 35, 52].allSatisfy({ bytes[$0] == dash }), parts.allSatisfy({ $0.allSatisfy(isHex) }),
      parts[1].contains(where: { $0 != zero }), parts[2].contains(where: { $0 != zero })
    else { return false }
    switch String(decoding: parts[0], as: UTF8.self) {
    case "ff": return false
    case "00": return bytes.count == 55
    default: return bytes.count == 55 || bytes[55] == dash
    }
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
  }

  /// At most 32 members `key=value` of at most 512 characters together, each key once.
  private static func isValid(state text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= 512 else { return false }
    var keys: Set<String> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let member = part.drop { isBlank($0) }.reversed().drop { isBlank($0) }.reversed()
      if member.isEmpty { continue }
      let halves = String(member).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, isKey(halves[0]), isValue(halves[1]), keys.insert(String(halves[0])).inserted
      else { return false }
    }
    return 1...32 ~= keys.count
  }

  private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

  private static func isKey(_ text: Substring) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let first = text.utf8.first, letters ~= first || digits ~= first else { return false }
    return text.utf8.count <= 256
      && text.utf8.allSatisfy { letters ~= $0 || digits ~= $0 || "_-*/@".utf8.contains($0) }
  }

  private static func isValue(_ text: Substring) -> Bool {
    1...256 ~= text.utf8.count && text.utf8.last != 0x20
      && text.utf8.allSatisfy { 0x20...0x7E ~= $0 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") }
  }
}
