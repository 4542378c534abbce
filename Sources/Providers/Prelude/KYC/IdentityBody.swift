import Domain
import JSON
import ProviderKit

/// What a match answers: words, not booleans, for each attribute that was asked about. Source: contract 9.
struct IdentityBody {
  let subscriber: Subscriber
  let verdicts: [(attribute: IdentityAttribute, verdict: IdentityVerdict)]

  /// The members but for the request's id.
  func write(to json: inout JSONWriter) {
    json.member("phone_number", subscriber.number.description)
    if let country = subscriber.country { json.member("country_code", country) }
    json.member("operator", subscriber.operatorName)
    for (attribute, verdict) in verdicts { write(verdict, of: attribute.rawValue, to: &json) }
  }

  private func write(_ verdict: IdentityVerdict, of attribute: String, to json: inout JSONWriter) {
    switch verdict {
    case .match: json.member(named: "\(attribute)_match", "true")
    case .notAvailable: json.member(named: "\(attribute)_match", "not_available")
    case .mismatch(let score):
      json.member(named: "\(attribute)_match", "false")
      if let score { json.member(named: "\(attribute)_match_score", score) }
    }
  }
}
