import Foundation
import JSON
import Testing

@Suite("JSON and Foundation")
struct FoundationAgreementTests {
  @Test("Foundation parses our output to the same value", arguments: UInt64(1)...40)
  func writing(seed: UInt64) throws {
    var source = DocumentSource(seed: seed)
    for _ in 0..<25 {
      let json = source.value(depth: 4)
      let bytes = json.encoded()

      let theirs = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)

      #expect(agree(json, theirs), "\(String(decoding: bytes, as: UTF8.self))")
      #expect(try JSON(parsing: bytes) == json)
    }
  }

  @Test("Foundation's output is parsed to the same value", arguments: UInt64(1)...40)
  func reading(seed: UInt64) throws {
    var source = DocumentSource(seed: seed &* 7919)
    for _ in 0..<25 {
      let json = source.value(depth: 4)
      let theirs = try JSONSerialization.jsonObject(with: Data(json.encoded()), options: .fragmentsAllowed)
      let bytes = try JSONSerialization.data(
        withJSONObject: theirs, options: [.fragmentsAllowed, .prettyPrinted])

      #expect(agree(try JSON(parsing: Array(bytes)), theirs))
    }
  }

  @Test(
    "a document with any byte changed is rejected if Foundation rejects it", arguments: UInt64(1)...40)
  func damage(seed: UInt64) {
    var source = DocumentSource(seed: seed &* 104_729)
    for _ in 0..<50 {
      var bytes = source.value(depth: 3).encoded()
      bytes[source.below(bytes.count)] = UInt8(source.below(256))

      let ours = try? JSON(parsing: bytes)
      let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)

      // Foundation accepts more: repeated names, UTF-16, and numbers that no double can hold.
      if let ours, let theirs {
        #expect(agree(ours, theirs))
      } else {
        #expect(ours == nil, "\(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  private func agree(_ ours: JSON, _ theirs: Any) -> Bool {
    switch ours {
    case .null: theirs is NSNull
    case .bool(let value): (theirs as? NSNumber)?.boolValue == value
    case .integer(let value): (theirs as? NSNumber)?.int64Value == value
    case .double(let value):
      // Foundation parses through decimal numbers, so the last digits may differ.
      ((theirs as? NSNumber)?.doubleValue).map { abs($0 - value) <= abs(value) * 1e-14 } ?? false
    case .string(let value): (theirs as? String) == value
    case .array(let items):
      (theirs as? [Any]).map { $0.count == items.count && zip(items, $0).allSatisfy(agree) } ?? false
    case .object(let members):
      (theirs as? [String: Any]).map { object in
        object.count == members.count
          && members.allSatisfy { member in object[member.name].map { agree(member.value, $0) } ?? false }
      } ?? false
    }
  }
}

/// Documents that look arbitrary and are the same in each run.
struct DocumentSource {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  /// A number from 0 up to and without the bound, by xorshift.
  mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33) % bound
  }

  mutating func value(depth: Int) -> JSON {
    switch below(depth > 0 ? 9 : 6) {
    case 0: .null
    case 1: .bool(below(2) == 0)
    case 2: .integer(Int64(below(2_000_000)) - 1_000_000)
    case 3: .integer([Int64.min, .max, 0, -1, 1 << 53][below(5)])
    case 4: .double((Double(below(1 << 30)) + 0.5) / 1024 * (below(2) == 0 ? 1 : -1e100))
    case 5: .string(text())
    case 6: .array((0..<below(5)).map { _ in value(depth: depth - 1) })
    default:
      .object((0..<below(6)).map { JSON.Member(name: "\(text())\($0)", value: value(depth: depth - 1)) })
    }
  }

  private mutating func text() -> String {
    let pieces = [
      "a", "plain text", "é", "€", "😀", "\"", "\\", "/", "\n", "\t", "\u{0}", "\u{1F}", "\u{8}", "\u{C}",
      "\r",
      "\u{7F}", "\u{2028}", "\u{FFFF}", "exactly eight by", "",
    ]
    return (0..<below(6)).map { _ in pieces[below(pieces.count)] }.joined()
  }
}
