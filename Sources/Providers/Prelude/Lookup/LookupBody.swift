import Domain
import JSON
import ProviderKit

/// What a lookup answers. Source: contract 7.
struct LookupBody {
  let facts: LineFacts
  /// Whether the name was asked for, and may be told.
  let showsCaller: Bool

  /// The members; integrators gate on `line_type`, so it is always there.
  func write(to json: inout JSONWriter) {
    let line = facts.subscriber
    json.member("phone_number", line.number.description)
    if let country = line.country { json.member("country_code", country) }
    json.member("line_type", facts.lineType.rawValue)
    json.member("flags", facts.flags.map(\.rawValue))
    json.object("network_info") {
      $0.member("carrier_name", line.operatorName)
      $0.member("mcc", line.mcc)
      $0.member("mnc", line.mnc)
    }
    json.object("original_network_info") {
      // Of the network that a number came from the carrier keeps no name.
      if line.originalMCC == line.mcc, line.originalMNC == line.mnc {
        $0.member("carrier_name", line.operatorName)
      }
      $0.member("mcc", line.originalMCC)
      $0.member("mnc", line.originalMNC)
    }
    if showsCaller, let caller { json.member("caller_name", caller) }
  }

  /// The name as handsets show it: capitals, 15 at most.
  private var caller: String? {
    let person = facts.subscriber.kyc
    let names = [person[.givenName], person[.familyName]].compactMap { $0 }
    let whole = names.isEmpty ? person[.name] : names.joined(separator: " ")
    return whole.map { String($0.uppercased().prefix(15)) }
  }
}
