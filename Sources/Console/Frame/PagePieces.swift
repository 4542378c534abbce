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

/// A field of a form with its name.
func field(_ name: String, @HTMLBuilder _ control: () -> HTML) -> HTML {
  label {
    span { name }
    control()
  }
}

/// Links in a row, of which one leads to what is shown.
func links<Choice>(
  _ attributes: Attribute..., to choices: [Choice], title: (Choice) -> String, href: (Choice) -> String,
  isCurrent: (Choice) -> Bool
) -> HTML {
  nav(attributes) {
    for choice in choices {
      a(.href(href(choice)), .init("aria-current", ifPresent: isCurrent(choice) ? "true" : nil)) {
        title(choice)
      }
    }
  }
}

/// The names of a table's columns.
func tableHead(_ names: String...) -> HTML {
  thead { tr { for name in names { th(.init("scope", "col")) { name } } } }
}
