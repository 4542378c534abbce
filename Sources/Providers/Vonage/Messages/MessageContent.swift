import ProviderKit

/// What the handset shows of a message. Source: `senders.md` 6.
enum MessageContent {
  typealias Shown = (text: String, variables: [String])

  static func read(_ type: String, of channel: MessageItem.ChannelName, _ reader: Reader) -> Shown {
    switch type {
    case "text", "html":
      let limit = limit(of: channel)
      let text = reader.needed(
        type == "html" && !reader.fields.has("text") ? "html" : "text", "1 to \(limit) characters"
      ) {
        (1...limit).contains($0.unicodeScalars.count)
      }
      if channel == .rcs { _ = reader.objects("suggestions", atMost: 11) }
      return (text ?? "", [])
    case "template": return template(reader)
    case "custom": return custom(reader)
    case "carousel":
      let cards = reader.object("carousel", required: true)?.objects("cards", atMost: 10) ?? []
      return (cards.map { media("card", $0) }.joined(separator: "\n"), [])
    case "content":
      return (reader.objects("content", atMost: 10).map { media("content", $0) }.joined(separator: "\n"), [])
    default: return (reader.object(type, required: true).map { media(type, $0) } ?? "", [])
    }
  }

  /// In characters, also of what is shown of templates and media.
  static let longest = 4096

  private static func limit(of channel: MessageItem.ChannelName) -> Int {
    switch channel {
    case .sms: 3200
    case .rcs: 3072
    case .whatsapp: 4096
    case .mms, .viber: 1000
    case .messenger: 640
    case .email: longest
    }
  }

  /// Pictures and files as their texts and addresses.
  private static func media(_ type: String, _ reader: Reader) -> String {
    let names = ["title", "text", "caption", "name", "emoji", "url", "media_url"]
    return "[\(type)] " + names.compactMap { reader.text($0, "a text") }.joined(separator: " ")
  }

  /// `{"name":"otp","parameters":["482913"]}`
  private static func template(_ reader: Reader) -> Shown {
    guard let template = reader.object("template", required: true),
      let name = template.needed("name", "a text")
    else { return ("", []) }
    guard let values = try? template.fields.optionalStrings("parameters") ?? [], values.count <= 100 else {
      template.note("parameters", "expected at most 100 texts")
      return ("", [])
    }
    return shown(name, values)
  }

  /// The template object of the channel's owner: each component has parameters with texts.
  private static func custom(_ reader: Reader) -> Shown {
    guard let custom = reader.object("custom", required: true) else { return ("", []) }
    guard let template = custom.object("template") else { return ("[custom]", []) }
    let parameters = template.objects("components", atMost: 20).flatMap {
      $0.objects("parameters", atMost: 50)
    }
    return shown(template.text("name", "a text") ?? "", parameters.compactMap { $0.text("text", "a text") })
  }

  /// `[otp] 1: 482913`: the template itself is not known.
  private static func shown(_ name: String, _ values: [String]) -> Shown {
    let list = values.enumerated().map { "\($0.offset + 1): \($0.element)" }.joined(separator: ", ")
    return ("[\(name)] \(list)", values)
  }
}
