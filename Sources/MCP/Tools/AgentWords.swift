import Control

/// What the control API says to people, for agents: tools and pages of `read_guide` instead of addresses,
/// commands and fields of a query.
enum AgentWords {
  /// A text that has none of them is most texts.
  private static let marks = ["/control/", "--pattern", "ringfence open", "to end it: ", "of the failure "]
    .map {
      ByteSearch(for: $0)
    }

  static func text(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard marks.contains(where: { $0.isFound(in: bytes) }) else { return text }
    return
      text
      .replacing("(?pattern=, --pattern)", with: "(argument pattern)")
      .replacing(/, or read \/control\/messages\/msg_[0-9]+/, with: ", or list_messages has the text")
      .replacing("use: ringfence open URL", with: "give a URL of this sandbox")
      .replacing(/to end it: [^)]*/, with: "to end it, call repair")
      .replacing("says so (/control/scenarios)", with: "says so (repair ends it)")
      .replacing(/of the failure ([a-z0-9-]+) \(([^)]+)\)/) {
        "of the failure \($0.1) (\($0.2); repair ends it)"
      }
      .replacing(/\/control\/docs\/([A-Za-z\/-]+)\.md/) { "read_guide \($0.1.lowercased())" }
      .replacing(/\(\/control\/subscribers\/([^)]+)\)/) {
        "(operation fetchSubscriber has the record of \($0.1))"
      }
      .replacing(/POST \/control\/calls\/msg_[0-9]+\/keys/, with: "operation pressKeys")
  }

  /// The same with these words in each member `why`.
  static func response(_ response: Response) -> Response {
    guard marks.contains(where: { $0.isFound(in: response.body) }) else { return response }
    return response.with(document)
  }

  private static func document(_ json: JSON) -> JSON {
    switch json {
    case .array(let items): .array(items.map(document))
    case .object(let members):
      .object(
        members.map { member in
          if member.name == "why", let why = member.value.text { return .init("why", text(why)) }
          return .init(name: member.name, value: document(member.value))
        })
    default: json
    }
  }
}
