import HTTP
import Markup

/// Fills a gap of a document with one piece after the other: an empty one where it has only worked, nil at
/// the end.
typealias GapFilling = () throws -> HTML?

extension BodyPieces {
  /// A document that is too large for one turn of the event loop. Its gaps are filled in their order while
  /// the client reads it.
  convenience init(_ document: [UInt8], filling gaps: [GapFilling]) {
    var parts = HTML.split(document).makeIterator()
    var gaps = gaps.makeIterator()
    var gap: GapFilling?
    self.init {
      if let html = try gap?() { return html.bytes }
      gap = gaps.next()
      return parts.next()
    }
  }
}

/// A gap with a piece for each item.
func filling<Item>(_ items: some Sequence<Item>, _ html: @escaping (Item) throws -> HTML) -> GapFilling {
  var items = items.makeIterator()
  return { try items.next().map(html) }
}

/// A gap with one piece.
func filling(_ html: @escaping () throws -> HTML) -> GapFilling { filling([()]) { _ in try html() } }
