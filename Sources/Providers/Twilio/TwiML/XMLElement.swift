/// An element of an XML document.
package struct XMLElement: Equatable, Sendable {
  package enum Node: Equatable, Sendable {
    case element(XMLElement)
    case text(String)
  }

  package let name: String
  package let attributes: [Attribute]
  package internal(set) var nodes: [Node] = []

  package struct Attribute: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  /// The value of an attribute; nil without it.
  package subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

  package var elements: [XMLElement] {
    nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The texts in it, without those of the elements in it.
  package var text: String {
    nodes.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }
}

/// Why a document is not XML as the sandbox reads it.
package struct XMLError: Error, Equatable, CustomStringConvertible {
  /// Both are counted from 1; the column in bytes.
  package let line: Int
  package let column: Int
  package let expected: String

  package var description: String { "line \(line), column \(column): expected \(expected)" }
}
