import ProviderKit

/// An answer with one entry for each part, or for an error. Source: `senders.md` 5.
struct SMSAnswer {
  /// With the names of JSON. All values are texts.
  let messages: [[(name: String, value: String)]]

  func response(_ status: Status = 200, isXML: Bool) -> Response {
    isXML ? LegacyAnswer.document(status, xml) : .json(status) { write(to: &$0) }
  }

  private func write(to json: inout JSONWriter) {
    json.member("message-count", String(messages.count))
    json.array("messages", messages) { json, message in
      json.value { json in
        for (name, value) in message { json.member(named: name, value) }
      }
    }
  }

  private var xml: String {
    let entries = messages.map { message in
      let members = message.map {
        LegacyAnswer.element(Self.xmlName($0.name), LegacyAnswer.escaped($0.value))
      }
      return LegacyAnswer.element("message", members.joined())
    }
    return LegacyAnswer.element(
      "mt-submission-response", "<messages count=\"\(messages.count)\">\(entries.joined())</messages>")
  }

  /// `message-id` is `messageId`.
  private static func xmlName(_ name: String) -> String {
    let words = name.split(separator: "-")
    return words.prefix(1).joined()
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
