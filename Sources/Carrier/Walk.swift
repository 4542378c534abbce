package import Basics
package import Domain
package import HTTP
import JSON
package import Numbers

/// A mobile client that follows the redirects of a silent URL: it takes an answer and returns the next
/// request. Source: `carrier.md` 2.4.
///
/// It opens no connection: the command line walks over sockets, the control API within the process.
package struct Walk {
  package struct Client: Equatable, Sendable {
    package enum Platform: String, CaseIterable, Sendable {
      /// Redirects must name a host; 304 to 306 are failures; `Host` has no port.
      case ios
      /// Redirects may be relative; the reason of a failure is read from the answer.
      case android
    }

    package var platform = Platform.ios
    /// True if the first answer must be a redirect, as on an endpoint of the app itself.
    package var isOwnHost = false
    /// Nil: the requests name no handset.
    package var handset: PhoneNumber?
    /// Nil: the requests name no bearer.
    package var bearer: Bearer?

    /// An iOS client that names neither handset nor bearer.
    package init() {}
  }

  /// One request of the chain, always a GET.
  package struct HopRequest: Equatable, Sendable {
    package let url: AbsoluteURL
    /// All header fields, with `Host`.
    package let headers: Headers
  }

  package enum Step: Equatable, Sendable {
    case request(HopRequest)
    case end(Ending)
  }

  /// How a chain ended.
  package enum Ending: Equatable, Sendable {
    /// A code for the app's back end.
    case code(String)
    /// A text for the app.
    case text(String)
    /// A redirect to the app, which is not requested.
    case redirect(AppRedirect)
    /// A failure, with its reason in plain words.
    case failure(String)
  }

  /// A redirect to the app: to its `redirect_url` or `redirect_uri`, or to a link of its own.
  package struct AppRedirect: Equatable, Sendable {
    /// With its fragment.
    package let url: String
    package let code: String?
    /// The error's code and description, as far as the URL has them.
    package let error: String?

    /// The result is in the fragment, or in the query of a URL without one.
    fileprivate init(_ url: String) {
      self.url = url
      let parts = url.split(separator: "#", maxSplits: 1)
      let result = parts.count == 2 ? parts[1] : url.drop { $0 != "?" }.dropFirst()
      let form = try? Form(parsing: Array(result.utf8))
      code = form?["code"]
      let texts = ["error", "error_description"].compactMap { form?[$0] }
      error = texts.isEmpty ? nil : texts.joined(separator: ": ")
    }
  }

  package static let redirectLimit = 20
  package static let hopTimeout = Duration.seconds(5)
  /// For the whole chain.
  package static let timeout = Duration.seconds(20)

  private let client: Client
  private let start: Timestamp
  private var redirects = 0
  private var spent = Duration.zero
  private var current: AbsoluteURL?
  /// The URL of the last redirect.
  private var lastRedirect: String?
  /// The `redirect_uri` of an authorization request in the chain (RFC 6749, 4.1.1).
  private var callback: String?

  package init(as client: Client, at start: Timestamp) {
    self.client = client
    self.start = start
  }

  /// The time limit of the next answer.
  package var timeLeft: Duration { min(Self.hopTimeout, Self.timeout - spent) }

  package mutating func start(at text: String) -> Step {
    guard let url = AbsoluteURL(text) else {
      return .end(.failure("the URL must be absolute, with http or https: \(text)"))
    }
    return .request(request(url))
  }

  /// The step after an answer that took `delay`.
  package mutating func next(after response: Response, delay: Duration) -> Step {
    spent += delay
    guard delay <= Self.hopTimeout, spent <= Self.timeout else { return timeOut() }
    let code = response.status.code
    let isRedirect = (300...303).contains(code) || code == 307 || code == 308
    if isRedirect { return follow(response.headers["Location"]) }
    if redirects == 0, client.isOwnHost {
      return .end(.failure("unexpected response: the first hop answered \(code), no redirect"))
    }
    return .end(ending(of: response))
  }

  /// The end of a chain whose next request would leave the sandbox; nil before the first redirect.
  package var redirectEnding: Ending? { lastRedirect.map { .redirect(AppRedirect($0)) } }

  package func timeOut() -> Step { .end(.failure("timed out")) }

  private mutating func request(_ url: AbsoluteURL) -> HopRequest {
    current = url
    let query = try? Form(parsing: Array(Target(url.target).query.utf8))
    callback = query?["redirect_uri"] ?? callback
    var headers: Headers = ["Host": client.platform == .ios ? url.authorityWithoutPort : url.authority]
    headers.add("Connection", "close")
    headers.add("User-Agent", client.platform == .ios ? "Ringfence/1 (iOS 18.0)" : "Ringfence/1 (Android 15)")
    headers.add("Accept", "*/*")
    if client.platform == .ios { headers.add("x-sdk-request-date", (start + spent).iso8601Milliseconds) }
    headers.add("x-sdk-retry-attempt", "0")
    if let handset = client.handset { headers.add("X-Sandbox-Handset", handset.description) }
    if let bearer = client.bearer { headers.add("X-Sandbox-Bearer", bearer.rawValue) }
    return HopRequest(url: url, headers: headers)
  }

  private mutating func follow(_ location: String?) -> Step {
    guard redirects < Self.redirectLimit else {
      return .end(.failure("more than \(Self.redirectLimit) redirects"))
    }
    guard let location else { return .end(.failure("a redirect without Location")) }
    if isAppLink(location) { return .end(.redirect(AppRedirect(location))) }
    let target = String(location.prefix { $0 != "#" })
    let next = client.platform == .ios ? AbsoluteURL(target) : current?.resolving(target)
    guard let next else { return .end(.failure("missing host in Location: \(location)")) }
    redirects += 1
    let fragment = location.dropFirst(target.count)
    let url = AbsoluteURL(target) == nil ? next.description + fragment : location
    // Only apps read fragments.
    guard fragment.isEmpty else { return .end(.redirect(AppRedirect(url))) }
    lastRedirect = url
    return .request(request(next))
  }

  /// True for the `redirect_uri` of the chain, and for a URL of another scheme: `myapp://done`.
  private func isAppLink(_ location: String) -> Bool {
    if let callback, location.hasPrefix(callback) {
      let rest = location.dropFirst(callback.count)
      if rest.isEmpty || "?&#".contains(rest.first ?? "?") { return true }
    }
    guard let colon = location.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = location[..<colon].lowercased()
    return !["http", "https", ""].contains(scheme)
      && scheme.utf8.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) }
  }

  /// The result of the last answer.
  private func ending(of response: Response) -> Ending {
    guard (200...299).contains(response.status.code) else {
      let why = (try? Fields(response.body)).flatMap(Self.explanation).map { ": \($0)" } ?? ""
      return .failure("HTTP \(response.status.code) \(response.status.reason)\(why)")
    }
    if let fields = try? Fields(response.body) {
      if let code = try? fields.optionalString("code") { return .code(code) }
      if client.platform == .android, case (_?, let why?) = statusAndReason(fields) {
        return .failure(why)
      }
      return .failure("no code in the answer" + (Self.explanation(in: fields).map { ": \($0)" } ?? ""))
    }
    guard response.headers["Content-Type"]?.lowercased().hasPrefix("text/plain") ?? false else {
      return .failure("the answer is neither JSON nor plain text")
    }
    return .text(String(decoding: response.body, as: UTF8.self))
  }

  /// The reason in an answer that has no code; providers name the member differently.
  private static func explanation(in fields: Fields) -> String? {
    ["reason", "message", "error"].lazy.compactMap { try? fields.optionalString($0) }.first
  }

  private func statusAndReason(_ fields: Fields) -> (status: String?, why: String?) {
    (try? fields.optionalString("status"), try? fields.optionalString("reason"))
  }
}

extension AbsoluteURL {
  fileprivate var authorityWithoutPort: String { host.contains(":") ? "[\(host)]" : host }
}
