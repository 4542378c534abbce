import Domain
import HTTP
import Markup

/// One handset, full screen: for a real phone that plays this one.
struct PhonePage: Page {
  private let phone: Phone
  private let verifications: [Verification]
  /// To whom the person can write.
  private let senders: [String]
  private let now: Timestamp

  var title: String { phone.name }

  private static let messageLimit = 100
  /// For each provider.
  private static let verificationLimit = 5

  init(_ request: Request, _ sandbox: Sandbox, providers: [String]) throws {
    let holder = request[parameter: "number"]
    var filter = Messages.Filter()
    filter.destination = holder
    let messages = try sandbox.messages.submitted(filter, limit: Self.messageLimit)
    let newest = try sandbox.messages.submitted(.init(), limit: PhonesPage.messageLimit)
    let sent = newest.filter { $0.isFromHandset && $0.sender == holder }
    let challenges = try sandbox.challenges.withoutPush(of: holder, limit: Self.messageLimit)
    guard !messages.isEmpty || !challenges.isEmpty || PhoneNumber(holder) != nil else {
      throw try NotFound("phone \(holder)", request, sandbox)
    }
    now = sandbox.clock.now
    let verifications = try providers.flatMap {
      try sandbox.verifications.list($0, of: holder, before: .max, limit: Self.verificationLimit)
    }.sorted { $0.ordinal > $1.ordinal }
    let sessions = try verifications.flatMap { try sandbox.silentSessions.all(of: $0.ordinal) }
      .sorted { $0.ordinal < $1.ordinal }
    let owner = try HandsetOwner(holder, messages, sent: sent, sessions, challenges, in: sandbox)
    phone = try Phone(owner, in: sandbox)
    self.verifications = verifications
    senders = try sandbox.messages.senders(amongNewest: PhonesPage.messageLimit)
  }

  func content(_ layout: Layout) -> HTML {
    div(.class("single")) {
      section(.id("phones"), .label("Phone")) { phone.card(layout, senders: senders) }
      if !verifications.isEmpty {
        section(.class("recent"), .id("verifications")) {
          h2 { "Verifications" }
          ul(.class("plain")) { for verification in verifications { line(of: verification, layout) } }
        }
      }
    }
  }

  private func line(of verification: Verification, _ layout: Layout) -> HTML {
    li(.id("verification-\(verification.ordinal)")) {
      a(.href(layout.url("/console/verifications/\(verification.ordinal)"))) {
        time(.init("datetime", verification.createdAt.iso8601)) { verification.createdAt.timeOfDay }
        " \(verification.claim.provider) \(verification.channel.rawValue): "
        strong { verification.state(at: now).rawValue }
      }
    }
  }
}
