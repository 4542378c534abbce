import ProviderKit

/// The answer to a start. Source: contract 3.
struct StartAnswer {
  let stored: StoredVerification
  let context: RequestContext

  func response() throws -> Response {
    if stored.status == .denied, context.settings.denyAnswer == .error, let reason = stored.details.reason {
      let code = reason == .notEnoughCredit ? ErrorCode.credit : .forbidden
      throw APIError(code, reason == .blocked ? "Identity is blacklisted." : "\(reason.rawValue).")
        .because(reason.cause)
    }
    if stored.status == .denied { context.sandbox.currentReason = stored.details.reason?.cause }
    let (method, options) = (stored.details.method, stored.details.options)
    if method == .flashcall, stored.status == .error, stored.verification.code.isEmpty {
      throw APIError(.capacity).because("all caller numbers have pending flash calls")
    }
    let target = try targetURL()
    var response = Response.json(200) { json in
      json.member("id", stored.id(in: context.sandbox))
      json.member("method", method.rawValue)
      switch method {
      case .sms:
        json.object("sms") { json in
          json.member("template", options.text)
          json.member("interceptionTimeout", 120)
          json.member("codeType", options.codeType.rawValue)
        }
      case .flashcall:
        json.object("flashCall") { json in
          json.member("cliFilter", "(.*)\(stored.verification.code.suffix(10).filter(\.isNumber))(.*)")
          json.member("interceptionTimeout", options.interceptionTimeout ?? 60)
          json.member(
            "reportTimeout", (stored.verification.expiresAt - stored.verification.createdAt).wholeSeconds)
          json.member("denyCallAfter", 60)
        }
      case .callout: break
      case .seamless: json.object("seamless") { $0.member("targetUri", target) }
      case .whatsapp: json.object("whatsapp") { $0.member("codeType", options.codeType.rawValue) }
      }
      json.array("_links", links) { json, link in
        json.value { json in
          json.member("rel", link.rel)
          json.member("href", link.path)
          json.member("method", link.method)
        }
      }
    }
    if method == .sms { response.headers.add("Content-Language", options.language.rawValue) }
    return response
  }

  /// The URL that the app opens over mobile data; nil for other methods, and if nothing was allowed.
  private func targetURL() throws -> String? {
    guard stored.details.method == .seamless else { return nil }
    return try context.sandbox.silentSessions.all(of: stored.verification.ordinal).last.map(TargetURL.url)
  }

  /// Source: contract 3: by id and by number; a seamless verification is not reported.
  private var links: [(rel: String, path: String, method: String)] {
    let (base, method) = (context.linkBase, stored.details.method.rawValue)
    let number = stored.verification.claim.destination
    let byID = "\(base)/id/\(stored.id(in: context.sandbox))"
    let status = [("status", byID, "GET"), ("status", "\(base)/\(method)/number/\(number)", "GET")]
    guard stored.details.method != .seamless else { return status }
    return status + [("report", byID, "PUT"), ("report", "\(base)/number/\(number)", "PUT")]
  }
}
