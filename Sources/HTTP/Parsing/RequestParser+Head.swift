import CLLHTTP

/// What is known of a request before its body.
package struct RequestHead {
  /// The method of the request line.
  package let method: Method
  /// Path and query of the request line.
  package let target: Target
  /// The header fields; `Host` is there once.
  package let headers: Headers
}

extension RequestParser {
  /// How a body is delimited.
  enum Framing {
    case none
    case length(Int)
    case chunked

    /// Whether there is none.
    var isEmpty: Bool { if case .none = self { true } else { false } }
  }

  /// What the header fields say about the message as a whole.
  struct Meaning {
    var framing = Framing.none
    var hosts = 0
    var lengths = 0
    var encodings = 0
    var length = 0
    var expectsContinue = false
  }

  /// Reads the fields that delimit and address the message, and refuses what two readers could read
  /// in two ways. llhttp has seen the same lines; where it is laxer, this decides.
  static func meaning(
    of fields: [Headers.Field], in lines: UnsafeRawBufferPointer, minorVersion: Int
  ) throws(MalformedRequest) -> Meaning {
    var meaning = Meaning()
    for field in fields {
      switch field.name.count {
      case 4 where lines.spells("host", at: field.name):
        meaning.hosts += 1
        guard Authority.isValid(UnsafeRawBufferPointer(rebasing: lines[field.value])) else {
          throw .hostInvalid
        }
      case 6 where lines.spells("expect", at: field.name):
        guard lines.spells("100-continue", at: field.value) else { throw .expectationUnknown }
        meaning.expectsContinue = minorVersion > 0
      case 14 where lines.spells("content-length", at: field.name):
        meaning.lengths += 1
        meaning.length = try contentLength(lines[field.value])
      case 17 where lines.spells("transfer-encoding", at: field.name):
        meaning.encodings += 1
        guard lines.spells("chunked", at: field.value) else {
          throw transferEncodingRefusal(lines[field.value])
        }
      default: break
      }
    }
    try meaning.settle(minorVersion: minorVersion)
    return meaning
  }

  private static func contentLength(_ value: Slice<UnsafeRawBufferPointer>) throws(MalformedRequest) -> Int {
    guard (1...18).contains(value.count) else { throw .contentLengthInvalid }
    var length = 0
    for byte in value {
      guard byte >= 0x30, byte <= 0x39 else { throw .contentLengthInvalid }
      length = length * 10 + Int(byte - 0x30)
    }
    return length
  }

  /// A coding that exists but is not ours is 501; anything that is no list of codings ending in one
  /// `chunked` is 400.
  private static func transferEncodingRefusal(_ value: Slice<UnsafeRawBufferPointer>) -> MalformedRequest {
    let codings = String(decoding: value, as: UTF8.self).lowercased().split(
      separator: ",", omittingEmptySubsequences: false
    ).map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
    let known: Set = ["gzip", "x-gzip", "deflate", "compress", "x-compress"]
    guard codings.last == "chunked", codings.count > 1, codings.dropLast().allSatisfy(known.contains) else {
      return .transferEncodingInvalid
    }
    return .transferEncodingUnknown
  }
}

extension RequestParser.Meaning {
  /// Checks what only all fields together can tell.
  fileprivate mutating func settle(minorVersion: Int) throws(MalformedRequest) {
    guard hosts <= 1 else { throw .hostTwice }
    guard hosts == 1 || minorVersion == 0 else { throw .hostMissing }
    guard lengths <= 1 else { throw .contentLengthTwice }
    guard encodings <= 1 else { throw .transferEncodingTwice }
    guard encodings == 0 || lengths == 0 else { throw .lengthAndEncoding }
    guard encodings == 0 || minorVersion > 0 else { throw .transferEncodingInOldVersion }
    framing = encodings == 1 ? .chunked : length > 0 ? .length(length) : .none
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes of one part of a field.
  fileprivate subscript(range: Range<UInt32>) -> Slice<UnsafeRawBufferPointer> {
    self[Int(range.lowerBound)..<Int(range.upperBound)]
  }

  /// Whether the range holds this word, without regard to case; the word is lower-case.
  fileprivate func spells(_ word: StaticString, at range: Range<UInt32>) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    let start = Int(range.lowerBound)
    for offset in 0..<word.utf8CodeUnitCount where self[start + offset].lowered != word.utf8Start[offset] {
      return false
    }
    return true
  }
}
