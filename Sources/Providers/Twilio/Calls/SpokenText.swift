/// The words of the verb `Say`, with its elements for the way of speaking.
struct SpokenText {
  private(set) var text = ""

  init(of element: XMLElement) {
    add(element)
    text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private mutating func add(_ element: XMLElement) {
    for node in element.nodes {
      switch node {
      case .text(let words): text += words
      case .element(let inner): say(inner)
      }
    }
  }

  private mutating func say(_ element: XMLElement) {
    switch element.name {
    case "break": text += " … "
    case "sub": text += element["alias"] ?? element.text
    case "p", "s":
      text += " "
      add(element)
      text += " "
    default: add(element)
    }
  }
}
