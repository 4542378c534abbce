/// A language of the example programs, as the page's address names it.
enum ProgramLanguage: String, CaseIterable {
  case python
  case node
  case curl
  case go
  case java
  case ruby
  case php
  case csharp

  /// `fence`: the word after the fence in the documents.
  init?(fence: String) {
    switch fence {
    case "js": self = .node
    case "sh": self = .curl
    default: self.init(rawValue: fence)
    }
  }

  /// The name as people write it.
  var title: String {
    switch self {
    case .python: "Python"
    case .node: "Node"
    case .curl: "curl"
    case .go: "Go"
    case .java: "Java"
    case .ruby: "Ruby"
    case .php: "PHP"
    case .csharp: "C#"
    }
  }
}
