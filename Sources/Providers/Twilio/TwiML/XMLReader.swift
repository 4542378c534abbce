import JSON

/// Reads the part of XML 1.0 that apps write: elements, attributes, texts, the five named and all numbered
/// references, CDATA, comments and processing instructions. There is no document type, so no document grows
/// or reads files while it is read.
package struct XMLReader {
  /// In bytes.
  package static let maxSize = 65_536
  package static let maxDepth = 16
  /// Elements, attributes and texts.
  package static let maxNodes = 2_000

  private let bytes: [UInt8]
  private var place = 0
  private var nodes = 0

  /// The root element of a document.
  package static func root(of document: [UInt8]) throws(XMLError) -> XMLElement {
    var reader = XMLReader(bytes: Array(document.prefix(maxSize)))
    try reader.checkCharacters(of: document)
    return try reader.document()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  // MARK: The document

  private mutating func checkCharacters(of document: [UInt8]) throws(XMLError) {
    guard document.count <= Self.maxSize else {
      place = Self.maxSize
      throw error("at most \(Self.maxSize) bytes")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw error("UTF-8") }
    guard !CombiningMarks.areTooMany(in: text) else { throw error(CombiningMarks.expected) }
    if let control = bytes.firstIndex(where: { $0 < 0x20 && !$0.isXMLSpace }) {
      place = control
      throw error("no control characters")
    }
  }

  private mutating func document() throws(XMLError) -> XMLElement {
    _ = skip("\u{FEFF}")
    if starts(with: "<?xml"), !isName(at: place + 5) {
      place += 5
      try skip(past: "?>", what: "?> at the end of the XML declaration")
    }
    try skipMiscellany()
    guard starts(with: "<") else { throw error("an element") }
    let root = try element(depth: 1)
    try skipMiscellany()
    guard place == bytes.count else { throw error("nothing after the element \(root.name)") }
    return root
  }

  /// Spaces, comments and processing instructions outside of the root element.
  private mutating func skipMiscellany() throws(XMLError) {
    while true {
      skipSpaces()
      guard starts(with: "<?") || starts(with: "<!") else { return }
      try skipMarkup()
    }
  }

  /// A comment or a processing instruction.
  private mutating func skipMarkup() throws(XMLError) {
    if skip("<!--") { return try skip(past: "-->", what: "--> at the end of the comment") }
    guard !starts(with: "<!") else { throw error("no document type") }
    guard !starts(with: "<?xml") || isName(at: place + 5) else {
      throw error("the XML declaration at the very beginning")
    }
    place += 2
    try skip(past: "?>", what: "?> at the end of the processing instruction")
  }

  // MARK: Elements

  private mutating func element(depth: Int) throws(XMLError) -> XMLElement {
    guard depth <= Self.maxDepth else { throw error("at most \(Self.maxDepth) elements in each other") }
    try countNode()
    place += 1
    let name = try name("the name of an element")
    var element = XMLElement(name: name, attributes: try attributes(of: name))
    if skip("/>") { return element }
    place += 1
    element.nodes = try content(of: name, depth: depth)
    return element
  }

  /// Up to `>` or `/>`.
  private mutating func attributes(of element: String) throws(XMLError) -> [XMLElement.Attribute] {
    var attributes: [XMLElement.Attribute] = []
    var names: Set<String> = []
    while true {
      let start = place
      skipSpaces()
      if starts(with: ">") || starts(with: "/>") { return attributes }
      guard place > start else { throw error("> at the end of the tag \(element)") }
      try countNode()
      let nameStart = place
      let name = try name("an attribute, or > at the end of the tag \(element)")
      guard names.insert(name).inserted else {
        place = nameStart
        throw error("the attribute \(name) once")
      }
      skipSpaces()
      guard skip("=") else { throw error("= after the attribute \(name)") }
      skipSpaces()
      attributes.append(.init(name: name, value: try quotedValue(of: name)))
    }
  }

  private mutating func quotedValue(of attribute: String) throws(XMLError) -> String {
    guard let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw error("the value of \(attribute) in quotation marks")
    }
    place += 1
    var value: [UInt8] = []
    while let byte, byte != quote {
      switch byte {
      case UInt8(ascii: "<"): throw error("no < in the value of \(attribute)")
      case UInt8(ascii: "&"): value += Array(try reference().utf8)
      default:
        value.append(byte.isXMLSpace ? 0x20 : byte)
        place += 1
      }
    }
    guard byte != nil else { throw error("a quotation mark after the value of \(attribute)") }
    place += 1
    return String(decoding: value, as: UTF8.self)
  }

  /// Up to the end tag, which is read too.
  private mutating func content(of element: String, depth: Int) throws(XMLError) -> [XMLElement.Node] {
    var nodes: [XMLElement.Node] = []
    var text: [UInt8] = []
    while let byte {
      if byte == UInt8(ascii: "&") {
        text += Array(try reference().utf8)
      } else if byte != UInt8(ascii: "<") {
        text.append(byte)
        place += 1
      } else if skip("</") {
        try add(&text, to: &nodes)
        try endTag(of: element)
        return nodes
      } else if skip("<![CDATA[") {
        let start = place
        try skip(past: "]]>", what: "]]> at the end of the CDATA section")
        text += bytes[start..<place - 3]
      } else if starts(with: "<!") || starts(with: "<?") {
        try skipMarkup()
      } else {
        try add(&text, to: &nodes)
        nodes.append(.element(try self.element(depth: depth + 1)))
      }
    }
    throw error("the end tag </\(element)>")
  }

  private mutating func add(_ text: inout [UInt8], to nodes: inout [XMLElement.Node]) throws(XMLError) {
    guard !text.isEmpty else { return }
    try countNode()
    nodes.append(.text(String(decoding: text, as: UTF8.self)))
    text = []
  }

  private mutating func endTag(of element: String) throws(XMLError) {
    let start = place
    let name = try name("the name of the end tag")
    guard name == element else {
      place = start
      throw error("the end tag </\(element)>")
    }
    skipSpaces()
    guard skip(">") else { throw error("> at the end of the tag \(name)") }
  }

  // MARK: Small parts

  /// `&amp;`, `&#65;` or `&#x41;`.
  private mutating func reference() throws(XMLError) -> String {
    let rest = bytes[(place + 1)...].prefix(12)
    let name = String(decoding: rest.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
    guard name.utf8.count < rest.count, let value = Self.names[name] ?? Self.character(name) else {
      throw error("&amp; or another reference")
    }
    place += name.utf8.count + 2
    return value
  }

  private static let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

  private static func character(_ name: String) -> String? {
    guard name.hasPrefix("#") else { return nil }
    let isHex = name.hasPrefix("#x")
    let digits = name.dropFirst(isHex ? 2 : 1)
    guard digits.first?.isHexDigit == true, let number = UInt32(digits, radix: isHex ? 16 : 10),
      let scalar = Unicode.Scalar(number), number >= 0x20 || UInt8(number).isXMLSpace, number != 0xFFFE,
      number != 0xFFFF, scalar.properties.canonicalCombiningClass == .notReordered
    else { return nil }
    return String(Character(scalar))
  }

  private mutating func name(_ expected: String) throws(XMLError) -> String {
    let start = place
    while isName(at: place) { place += 1 }
    let name = bytes[start..<place]
    guard let first = name.first, !first.isDigit, first != UInt8(ascii: "-"), first != UInt8(ascii: ".")
    else {
      place = start
      throw error(expected)
    }
    return String(decoding: name, as: UTF8.self)
  }

  private func isName(at place: Int) -> Bool {
    guard place < bytes.count else { return false }
    return bytes[place].isAlphanumeric || bytes[place] >= 0x80 || "-_.:".utf8.contains(bytes[place])
  }

  private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[place...].starts(with: $0) }
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    guard starts(with: text) else { return false }
    place += text.utf8CodeUnitCount
    return true
  }

  private mutating func skip(past end: StaticString, what expected: String) throws(XMLError) {
    let start = place
    while place < bytes.count {
      if skip(end) { return }
      place += 1
    }
    place = start
    throw error(expected)
  }

  private mutating func skipSpaces() {
    while let byte, byte.isXMLSpace { place += 1 }
  }

  private mutating func countNode() throws(XMLError) {
    nodes += 1
    guard nodes <= Self.maxNodes else { throw error("at most \(Self.maxNodes) elements and texts") }
  }

  private func error(_ expected: String) -> XMLError {
    let read = bytes[..<place]
    let line = read.count { $0 == 0x0A } + 1
    let start = read.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return XMLError(line: line, column: place - start + 1, expected: expected)
  }
}

extension UInt8 {
  fileprivate var isXMLSpace: Bool { self == 0x20 || (0x09...0x0A).contains(self) || self == 0x0D }
}
