package import Basics
import JSON

/// One sending of a verification's code, or one silent attempt.
package struct Attempt: Equatable, Sendable {
  /// From 1.
  package let number: Int
  package let channel: Channel
  package let sentAt: Timestamp
  /// Set if each attempt has its own code; nil for a silent attempt until the number is proven.
  package let code: String?
  /// True if the code of this attempt approved the verification.
  package let isAnswered: Bool
}

/// The attempts of a verification, oldest first, in the format of the database column.
///
/// Example: `sms@1767608430000 call@1767608490000=313233!`. After the time, `=` starts the attempt's own code
/// in hexadecimal, and `!` marks the attempt whose code was entered. The text is parsed only on demand,
/// because most checks do not need it.
package struct Attempts: Equatable, Sendable {
  let column: String

  static let none = Attempts(column: "")

  var isEmpty: Bool { column.isEmpty }

  /// How many there are, if none is damaged.
  package var count: Int { column.isEmpty ? 0 : column.utf8.count { $0 == UInt8(ascii: " ") } + 1 }

  init(first channel: Channel, at time: Timestamp, code: String? = nil) {
    let suffix = code.map { "=\(Self.hexadecimal($0))" } ?? ""
    column = "\(channel.rawValue)@\(time.milliseconds)\(suffix)"
  }

  init(column: String) {
    self.column = column
  }

  private init(_ all: [Attempt]) {
    let parts = all.map { attempt in
      Attempts(first: attempt.channel, at: attempt.sentAt, code: attempt.code).column
        + (attempt.isAnswered ? "!" : "")
    }
    column = parts.joined(separator: " ")
  }

  func adding(_ channel: Channel, at time: Timestamp, code: String? = nil) -> Attempts {
    let next = Attempts(first: channel, at: time, code: code)
    return column.isEmpty ? next : Attempts(column: "\(column) \(next.column)")
  }

  private var haveCodes: Bool { column.utf8.contains(UInt8(ascii: "=")) }

  func accepts(_ code: String) -> Bool { haveCodes && all.contains { $0.code == code } }

  /// A copy in which the last attempt with this code is marked as answered.
  func answered(with code: String) -> Attempts {
    guard haveCodes, let number = all.last(where: { $0.code == code })?.number else { return self }
    return replacing(number) { $0.with(code: code, isAnswered: true) }
  }

  /// A copy in which the attempt with this number is marked as answered.
  func answered(_ number: Int) -> Attempts { replacing(number) { $0.with(code: $0.code, isAnswered: true) } }

  /// A copy in which the attempt with this number has this code.
  func setting(_ code: String, of number: Int) -> Attempts {
    replacing(number) { $0.with(code: code, isAnswered: $0.isAnswered) }
  }

  var withoutCodes: Attempts {
    Attempts(all.map { $0.with(code: nil, isAnswered: $0.isAnswered) })
  }

  /// Without those that are damaged.
  package var all: [Attempt] {
    var column = column
    return column.withUTF8 { bytes in
      var attempts: [Attempt] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let end = rest.firstIndex(of: UInt8(ascii: " ")) ?? rest.endIndex
        let part = UnsafeBufferPointer(rebasing: rest[..<end])
        if let attempt = Self.parse(attempts.count + 1, part) { attempts.append(attempt) }
        rest = rest[end...].dropFirst()
      }
      return attempts
    }
  }

  private func replacing(_ number: Int, _ change: (Attempt) -> Attempt) -> Attempts {
    Attempts(all.map { $0.number == number ? change($0) : $0 })
  }

  /// Parses one attempt: `sms@1767608430000=3132!`.
  private static func parse(_ number: Int, _ text: UnsafeBufferPointer<UInt8>) -> Attempt? {
    let isAnswered = text.last == UInt8(ascii: "!")
    let text = text.dropLast(isAnswered ? 1 : 0)
    let timeEnd = text.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
    guard let at = text.firstIndex(of: UInt8(ascii: "@")), at < timeEnd,
      let channel = Channel(rawValue: String(decoding: text[..<at], as: UTF8.self))
    else { return nil }
    // A row of an earlier version can have a time before 1970: `sms@-315619200000`.
    guard let time = Int64(decimal: text[(at + 1)..<timeEnd]) else { return nil }
    return Attempt(
      number: number, channel: channel, sentAt: Timestamp(milliseconds: time),
      code: timeEnd < text.endIndex ? Self.text(hexadecimal: text[(timeEnd + 1)...]) : nil,
      isAnswered: isAnswered)
  }

  private static func hexadecimal(_ code: String) -> String {
    Hex.encode(code.utf8)
  }

  private static func text(hexadecimal digits: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    String(decoding: Hex.decode(digits) ?? [], as: UTF8.self)
  }
}

extension Attempt {
  fileprivate func with(code: String?, isAnswered: Bool) -> Attempt {
    Attempt(number: number, channel: channel, sentAt: sentAt, code: code, isAnswered: isAnswered)
  }
}
