import Domain
import JSON
import ProviderKit

/// `risk_insights`: what a score comes from, as numbers. The vendor's list of them is not public; these are the
/// sandbox's, with the first digits of the contract's example. Source: contract 11.
struct RiskInsights {
  private let category: [Int]
  private let applicationTraffic: Int
  private let personalTraffic: Int
  private let numberType: Int
  private let origin: Int
  private let email: Int

  /// The insights of a score; without a line, of an email address.
  init(of score: RiskScore, for line: Line?, _ circumstances: Circumstances, in sandbox: Sandbox) throws {
    category = score.grounds.isEmpty ? [10010] : score.grounds.map(\.rawValue)
    (applicationTraffic, personalTraffic) = try Self.traffic(of: line, in: sandbox)
    numberType = 40_000 + (line?.phoneType ?? .email).rawValue
    origin = circumstances.originatingIP == nil ? 50001 : 50002
    email = Self.email(circumstances.emailAddress, of: line)
  }

  /// Writes the object. 800: all of it is there.
  func write(to json: inout JSONWriter) {
    json.member("status", 800)
    json.member("category", category)
    json.member("a2p", [applicationTraffic])
    json.member("p2p", [personalTraffic])
    json.member("number_type", [numberType])
    json.member("ip", [origin])
    json.member("email", [email])
  }

  /// How much was sent to the number by applications within a day, and whether it has texted: 1 none, 2 some,
  /// 3 much.
  private static func traffic(of line: Line?, in sandbox: Sandbox) throws -> (Int, Int) {
    guard let number = line?.number.number.description else { return (20001, 30001) }
    var filter = Messages.Filter()
    filter.destination = number
    let since = sandbox.clock.now - .seconds(86_400)
    let received = try sandbox.messages.submitted(filter, limit: 5).filter { $0.submittedAt >= since }.count
    return (received == 0 ? 20001 : received < 5 ? 20002 : 20003, 30001)
  }

  /// 1: none was named, or none is known; 2: it is the line's own; 3: the line's is another.
  private static func email(_ address: String?, of line: Line?) -> Int {
    guard let address, let line, let known = line.subscriber.kyc[.email] ?? line.subscriber.email else {
      return 60001
    }
    return known.lowercased() == address.lowercased() ? 60002 : 60003
  }
}
