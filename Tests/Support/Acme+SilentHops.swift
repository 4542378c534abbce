package import Domain
package import HTTP
package import ProviderKit

/// Hops that follow the kit in all that they need not decide.
package enum AcmeURL: SilentHops {
  package static let provider = Acme.name
  package static let path = "/door"
  package static let operations = (first: "openDoor", last: "enterDoor")

  package static func unknownSession(_ token: String, on hop: SilentHop, in sandbox: Sandbox) -> Response {
    .text(404, "\(hop) hop")
  }

  package static func response(to handset: SilentReturn, in sandbox: Sandbox) -> Response {
    .text(200, "\(handset.verdict), \(handset.isFirst ? "first time" : "again")")
  }
}

/// Hops that wait, and refuse sessions that have ended.
package enum StrictAcmeURL: SilentHops {
  package static let provider = Acme.name
  package static let path = "/strict-door"
  package static let ending = "/knock"
  package static let operations = (first: "openStrictDoor", last: "enterStrictDoor")
  package static let refusesEndedSessions = true

  package static func delay(in sandbox: Sandbox) -> Duration { .milliseconds(250) }

  package static func unknownSession(_ token: String, on hop: SilentHop, in sandbox: Sandbox) -> Response {
    .text(404, "")
  }

  package static func response(to handset: SilentReturn, in sandbox: Sandbox) -> Response {
    .text(200, "\(handset.verdict)")
  }
}
