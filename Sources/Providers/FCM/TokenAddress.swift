import ProviderKit

/// The addresses of Google's token endpoint. Key files and libraries of earlier years have the older ones.
/// Source: contract 1.4 and 1.4.1
enum TokenAddress {
  static let newest = "https://oauth2.googleapis.com/token"
  private static let all = [
    newest, "https://www.googleapis.com/oauth2/v4/token", "https://www.googleapis.com/oauth2/v3/token",
    "https://accounts.google.com/o/oauth2/token",
  ]

  /// Hosts with many other services, none of which the sandbox has.
  static let sharedHosts = ["www.googleapis.com", "accounts.google.com"]

  static let paths = Set(all.compactMap { AbsoluteURL($0)?.target })

  /// Why a request to another service of such a host is not answered; nil for other hosts.
  static func blockedReason(for request: Request) -> String? {
    guard let host = Authority(request.host)?.host.lowercased(), sharedHosts.contains(host) else {
      return nil
    }
    return
      "not emulated: \(host)\(request.target.path); of this host, the sandbox has the token endpoint only"
  }

  /// What is wrong with the claim `aud`; nil if nothing is. Any of the addresses is right, whichever was
  /// called, and so is the sandbox's own. Without the claim, which Google's libraries always send, nothing is
  /// compared.
  static func problem(withAudienceOf claims: Fields, of request: Request) -> String? {
    guard let audiences = claims.audiences else { return nil }
    let own = Authority(request.host)?.host.lowercased()
    let isRight = audiences.contains { text in
      all.contains(text)
        || AbsoluteURL(text).map { $0.host == own && !FCMProvider.hosts.contains($0.host) } ?? false
    }
    return isRight ? nil : claims.mismatch("aud", expected: newest).description
  }
}
