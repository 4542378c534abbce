/// A piece of HTML.
///
/// ```
/// section(.class("phone")) {
///   h2 { number }                    text, escaped
///   for message in messages { bubble(message) }
/// }
/// ```
/// Text and attribute values are escaped here. Names of elements and attributes are `StaticString`, so they
/// come from our source.
package struct HTML: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package init(@HTMLBuilder _ content: () -> HTML) { self = content() }

  /// A whole document.
  package static func document(
    language: String, _ attributes: Attribute..., @HTMLBuilder content: () -> HTML
  ) -> [UInt8] {
    let html = Tag("html")([.init("lang", language)] + attributes, content: content)
    return Array("<!DOCTYPE html>\n".utf8) + html.bytes + [UInt8(ascii: "\n")]
  }

  static func text(_ text: String) -> HTML {
    var html = HTML()
    html.appendEscaped(text)
    return html
  }

  /// A place that is filled later, for documents that are too large to be in memory: see `split`.
  package static var gap: HTML {
    var html = HTML()
    html.bytes.append(0)
    return html
  }

  /// The parts between the gaps. Texts have no zero bytes, so only gaps do.
  package static func split(_ document: [UInt8]) -> [[UInt8]] {
    document.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
  }

  /// Empty, with room for this many bytes: growing step by step takes longer than everything else.
  init(room: Int) { bytes.reserveCapacity(room) }

  package mutating func append(_ other: HTML) { bytes.append(contentsOf: other.bytes) }

  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func append(verbatim code: [UInt8]) { bytes.append(contentsOf: code) }

  /// Escapes for text and for attribute values in double quotes. A zero byte is not allowed in HTML.
  mutating func appendEscaped(_ text: String) {
    if text.utf8.allSatisfy(Self.isPlain) { return bytes.append(contentsOf: text.utf8) }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): append("&amp;")
      case UInt8(ascii: "<"): append("&lt;")
      case UInt8(ascii: ">"): append("&gt;")
      case UInt8(ascii: "\""): append("&quot;")
      case UInt8(ascii: "'"): append("&#39;")
      case 0: append("\u{FFFD}")
      default: bytes.append(byte)
      }
    }
  }

  /// True for a byte that `appendEscaped` leaves as it is. Most texts have no other.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0:
      false
    default: true
    }
  }
}

extension HTML: Equatable {}

extension HTML: CustomStringConvertible {
  package var description: String { String(decoding: bytes, as: UTF8.self) }
}

/// Lets Swift's control flow describe HTML. A `String` is text.
@resultBuilder
package enum HTMLBuilder {
  package static func buildExpression(_ text: String) -> HTML { .text(text) }
  package static func buildExpression(_ html: HTML) -> HTML { html }
  package static func buildOptional(_ html: HTML?) -> HTML { html ?? HTML() }
  package static func buildEither(first html: HTML) -> HTML { html }
  package static func buildEither(second html: HTML) -> HTML { html }
  package static func buildArray(_ parts: [HTML]) -> HTML { join(parts) }
  package static func buildBlock(_ parts: HTML...) -> HTML { join(parts) }

  private static func join(_ parts: [HTML]) -> HTML {
    if let only = parts.first, parts.count == 1 { return only }
    var html = HTML(room: parts.reduce(0) { $0 &+ $1.bytes.count })
    for part in parts { html.append(part) }
    return html
  }
}
