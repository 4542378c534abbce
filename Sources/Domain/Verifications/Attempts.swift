import JSON

/// One sending of a verification's code.
package struct Attempt: Equatable, Sendable {
  /// Its number among the sendings of its verification, from 1.
  package let number: Int
  /// How the code travelled.
  package let channel: Channel
  /// When.
  package let sentAt: Timestamp
  /// Its own code, where each sending has one; nil too as long as a silent one has not been proven.
  package let code: String?
  /// Whether the verification was approved by its code.
  package let isAnswered: Bool
}

/// The sendings of a verification, oldest first, as its row has them: `sms@1767608430000 call@1767608490000`.
/// Behind the time may stand `=` and a code of its own in hexadecimal, and `!` where that one was given back.
///
/// They are read only when somebody asks for them: a check does not, unless they have codes of their own.
package struct Attempts: Equatable, Sendable {
  /// The text of the column.
  let column: String

  /// No sending: it was refused before.
  static let none = Attempts(column: "")

  /// The first sending.
  init(first channel: Channel, at time: Timestamp, code: String? = nil) {
    let own = code.map { "=\(Self.hexadecimal($0))" } ?? ""
    column = "\(channel.rawValue)@\(time.milliseconds)\(own)"
  }

  /// The sendings that a row has.
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

  /// These and one more.
  func adding(_ channel: Channel, at time: Timestamp, code: String? = nil) -> Attempts {
    let next = Attempts(first: channel, at: time, code: code)
    return column.isEmpty ? next : Attempts(column: "\(column) \(next.column)")
  }

  /// Whether sendings have codes of their own.
  var haveCodes: Bool { column.utf8.contains(UInt8(ascii: "=")) }

  /// Whether a code is that of one of the sendings.
  func accept(_ code: String) -> Bool { haveCodes && all.contains { $0.code == code } }

  /// The sendings, the last one of this code marked as answered.
  func answered(with code: String) -> Attempts {
    guard haveCodes, let number = all.last(where: { $0.code == code })?.number else { return self }
    return replacing(number) { $0.with(code: code, isAnswered: true) }
  }

  /// The sendings, the one of this number marked as answered.
  func answered(_ number: Int) -> Attempts { replacing(number) { $0.with(code: $0.code, isAnswered: true) } }

  /// The sendings, the one of this number with a code of its own.
  func giving(_ code: String, to number: Int) -> Attempts {
    replacing(number) { $0.with(code: code, isAnswered: $0.isAnswered) }
  }

  /// The sendings without codes.
  var withoutCodes: Attempts {
    Attempts(all.map { $0.with(code: nil, isAnswered: $0.isAnswered) })
  }

  /// Each of them.
  package var all: [Attempt] {
    var column = column
    return column.withUTF8 { bytes in
      var attempts: [Attempt] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let end = rest.firstIndex(of: UInt8(ascii: " ")) ?? rest.endIndex
        attempts.append(Self.attempt(attempts.count + 1, UnsafeBufferPointer(rebasing: rest[..<end])))
        rest = rest[end...].dropFirst()
      }
      return attempts
    }
  }

  private func replacing(_ number: Int, _ change: (Attempt) -> Attempt) -> Attempts {
    Attempts(all.map { $0.number == number ? change($0) : $0 })
  }

  /// A sending from its part of the column: `sms@1767608430000=3132!`.
  private static func attempt(_ number: Int, _ text: UnsafeBufferPointer<UInt8>) -> Attempt {
    let isAnswered = text.last == UInt8(ascii: "!")
    let text = text.dropLast(isAnswered ? 1 : 0)
    let timeEnd = text.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
    guard let at = text.firstIndex(of: UInt8(ascii: "@")), at < timeEnd,
      let channel = Channel.allCases.first(where: { text[..<at].elementsEqual($0.rawValue.utf8) })
    else { preconditionFailure("no sending: \(String(decoding: text, as: UTF8.self))") }
    let time = text[(at + 1)..<timeEnd].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    return Attempt(
      number: number, channel: channel, sentAt: Timestamp(milliseconds: time),
      code: timeEnd < text.endIndex ? Self.text(hexadecimal: text[(timeEnd + 1)...]) : nil,
      isAnswered: isAnswered)
  }

  private static func hexadecimal(_ code: String) -> String {
    Hex.encode(code.utf8)
  }

  private static func text(hexadecimal digits: some Collection<UInt8>) -> String {
    String(decoding: Hex.decode(digits) ?? [], as: UTF8.self)
  }
}

extension Attempt {
  fileprivate func with(code: String?, isAnswered: Bool) -> Attempt {
    Attempt(number: number, channel: channel, sentAt: sentAt, code: code, isAnswered: isAnswered)
  }
}
