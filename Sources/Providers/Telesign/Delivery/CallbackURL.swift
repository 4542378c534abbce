import ProviderKit

/// The URL that gets callbacks. Source: contract 9.1, 9.2 and 13.1.
enum CallbackURL {
  /// That of the request, if the account may choose it, else that of the settings.
  static func chosen(by url: String?, in context: RequestContext) throws(APIError) -> String? {
    guard let url else { return context.settings.callbackURL.isEmpty ? nil : context.settings.callbackURL }
    try check(url, in: context)
    return url
  }

  /// Throws if this is no URL, or if the account may not choose its callback URLs.
  static func check(_ url: String, in context: RequestContext) throws(APIError) {
    guard isValid(url) else {
      throw invalid(in: context.format).because("callback_url: expected an http or https URL")
    }
    guard context.settings.allowsCallbackURL else {
      throw notAllowed(in: context.format)
        .because("callback_url: the setting verify.callback_allowed is off")
    }
  }

  static func isValid(_ text: String) -> Bool { AbsoluteURL(text) != nil }

  private static func invalid(in format: ErrorFormat) -> APIError {
    switch format {
    case .legacy: .invalidParameter("callback_url", expected: "an http or https URL")
    case .omnichannel: APIError(3106, in: format)
    case .flat, .silent: APIError(11004, in: format)
    }
  }

  private static func notAllowed(in format: ErrorFormat) -> APIError {
    switch format {
    case .legacy: APIError(-20003, in: format)
    case .omnichannel: APIError(3203, in: format)
    case .flat, .silent: APIError(10012, in: format)
    }
  }
}
