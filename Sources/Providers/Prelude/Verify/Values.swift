import Domain
import JSON
import ProviderKit

// Values that more than one operation takes. Source: contract 3.1, 3.2 and 11.2.

/// Refuses a URL that nothing can be sent to.
func checkCallback(_ url: String?, at param: String) throws(Problem) {
  guard let url, !isWebURL(url) else { return }
  throw Problem(.invalidCallbackURL, "callback_url has to be an http or https URL", param: param)
}

/// Refuses a correlation id that is too long.
func checkCorrelation(_ text: String?, at param: String) throws(Problem) {
  guard let text, text.unicodeScalars.count > 80 else { return }
  throw Problem(.invalidCorrelationID, "correlation_id has to be 80 characters at most", param: param)
}

/// The caller's own id in `metadata`.
func correlation(in fields: Fields) throws -> String? {
  let text = try fields.optionalObject("metadata")?.optionalString("correlation_id")
  try checkCorrelation(text, at: "metadata.correlation_id")
  return text
}

/// Whether a text is an `http` or `https` URL with a host.
func isWebURL(_ text: String) -> Bool {
  guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else {
    return false
  }
  let host = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
  return !host.isEmpty && text.utf8.count <= 2048 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}

/// Whether a text has the form of a language tag (BCP 47).
func isLanguageTag(_ text: String) -> Bool {
  let parts = text.split(separator: "-", omittingEmptySubsequences: false)
  return (2...8).contains(parts[0].count) && parts[0].allSatisfy { $0.isASCII && $0.isLetter }
    && parts.dropFirst().allSatisfy { part in
      (1...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}

/// Whether a text is some number of digits.
func isDigits(_ text: String, _ count: ClosedRange<Int>) -> Bool {
  count.contains(text.utf8.count) && text.utf8.allSatisfy { $0.isDigit }
}
