import ProviderKit

/// Links by SMS. Source: contract 5.5 and 5.6.
extension Possession {
  /// Sends the first link, or the one after a change of the number. `origin` is that of the device's request.
  mutating func startLink(number: String?, origin: String) throws {
    guard try takeNumber(number, at: .linkStart) else { return }
    try sendLink(origin: origin)
  }

  mutating func sendLink(origin: String) throws {
    guard try takeSend(), let number else { return }
    let token = ProveKey.newSecret("prove link", in: sandbox)
    try session.setLink(token, in: sandbox)
    session.linkClickedAt = nil
    let template = session.options.smsMessage.flatMap { MessageTemplate($0) } ?? .defaultLink
    let text = template.text(with: "\(sandbox.baseURL(requestOrigin: origin))\(linkPath)/\(token)")
    let possession = self
    _ = try startVerification(of: number.number, over: .sms, code: token) {
      possession.draft(text, code: nil, for: $0)
    }
    try move(to: .linkWait)
  }

  /// What opening the newest link leads to.
  enum Landing: Equatable {
    case redirect(String)
    case expired
  }

  /// A person opens the link.
  mutating func openLink() throws -> Landing {
    try endWait()
    guard let sentAt = session.sentAt, let target = session.options.finalTargetURL else { return .expired }
    let isExpired = try script.instantLink == .expires || now >= sentAt + .seconds(settings.linkSeconds)
    guard session.linkClickedAt != nil || !isExpired, !session.isExpired(at: now) else { return .expired }
    if session.step == .linkWait, session.linkClickedAt == nil {
      session.linkClickedAt = now
      try session.save(in: sandbox)
      if session.possession == .desktop { try pass(by: .instantLink) }
    }
    return .redirect(redirect(to: target, asc: session.linkClickedAt != nil))
  }

  /// `asc` tells the app whether the link was opened in time.
  private func redirect(to target: String, asc: Bool) -> String {
    "\(target)\(target.contains("?") ? "&" : "?")asc=\(asc)&authId=\(session.authID)"
  }

  /// An app resumes with the URL that its link led to. Source: contract 5.6.
  mutating func finishLink(_ redirectURL: String) throws {
    let query = redirectURL.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
    let fields = try Form(parsing: Array(query.utf8))
    guard let asc = fields["asc"], ["true", "false"].contains(asc) else {
      throw APIError.malformed("redirectUrl", expected: "asc=true or asc=false")
    }
    guard let authID = fields["authId"], authID == session.authID else {
      throw APIError.malformed("redirectUrl", expected: "the authId of this session")
    }
    guard asc == "true" else { return }
    guard session.linkClickedAt != nil else {
      throw APIError.malformed("redirectUrl", expected: "a link that was opened")
        .because("nobody has opened the link of session \(session.correlationID)")
    }
    if session.step == .linkWait { try pass(by: .instantLink) }
  }
}

/// The path of links, before the token. Source: contract 6.2.
let linkPath = "/handset/prove/link"
