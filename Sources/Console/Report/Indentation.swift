import JSON

/// JSON with one member per line, for reading.
enum Indentation {
  /// The same text if it is not JSON.
  static func indent(_ text: String) -> String {
    guard let json = try? JSON(parsing: Array(text.utf8)) else { return text }
    return lines(of: json, indent: "").joined(separator: "\n")
  }

  private static func lines(of json: JSON, indent: String) -> [String] {
    switch json {
    case .object(let members) where !members.isEmpty:
      block(
        "{", "}", indent,
        members.map { (#"\#(JSON.string($0.name).text): "#, $0.value) })
    case .array(let items) where !items.isEmpty: block("[", "]", indent, items.map { ("", $0) })
    default: [json.text]
    }
  }

  private static func block(
    _ start: String, _ end: String, _ indent: String, _ entries: [(label: String, value: JSON)]
  ) -> [String] {
    let inner = indent + "  "
    let content = entries.enumerated().flatMap { index, entry in
      var lines = lines(of: entry.value, indent: inner)
      lines[0] = inner + entry.label + lines[0]
      if index < entries.count - 1 { lines[lines.count - 1] += "," }
      return lines
    }
    return [start] + content + [indent + end]
  }
}
