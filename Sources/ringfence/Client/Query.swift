import HTTP
import JSON

/// The query of a URL; parameters without a value are left out.
func query(_ parameters: [(name: String, value: String?)]) -> String {
  parameters.compactMap { name, value in value.map { "\(name)=\(PercentCoding.encode($0))" } }
    .joined(separator: "&")
}

extension JSON.Member {
  /// Those that have a value.
  static func given(_ texts: KeyValuePairs<String, String?>, _ numbers: KeyValuePairs<String, Int?> = [:])
    -> [JSON.Member]
  {
    texts.compactMap { name, text in text.map { JSON.Member(name, $0) } }
      + numbers.compactMap { name, number in number.map { JSON.Member(name, $0) } }
  }
}
