package import Domain
package import HTTP
import JSON

/// The rules by which a mobile client walks a silent chain: an answer in, the next request out.
/// Source: `carrier.md` 2.4.
///
/// It opens no connection itself: the command line walks over sockets, the control API within the process.
package struct Walk {
  /// Which client is played.
  package struct Client: Equatable, Sendable {
    /// The kinds of client.
    package enum Platform: String, CaseIterable, Sendable {
      /// Redirects must name a host; 304 to 306 are failures; the port is left out of `Host`.
      case ios
      /// Redirects may be relative; a failure's reason is read.
      case android
    }

    /// The kind of client.
    package var platform = Platform.ios
    /// Whether the first answer must be a redirect, as with an endpoint that the app has set.
    package var isOwnHost = false
    /// The handset it says it is; nil: it says nothing.
    package var handset: PhoneNumber?
    /// What it says its bearer is; nil: it says nothing.
    package var bearer: Bearer?

    /// A client for iOS that says nothing of itself.
    package init() {}
  }

  /// One request of the chain, always a GET.
  package struct Ask: Equatable, Sendable {
    /// Where it goes.
    package let url: AbsoluteURL
    /// Its header fields, `Host` among them.
    package let headers: Headers
  }

  /// What comes next.
  package enum Step: Equatable, Sendable {
    /// A request.
    case ask(Ask)
    /// Nothing: the chain has ended.
    case end(Ending)
  }

  /// How a chain ended.
  package enum Ending: Equatable, Sendable {
    /// With a code for the app's back end.
    case code(String)
    /// With a text that the app may look into.
    case text(String)
    /// With a failure, in plain words.
    case failure(String)
  }

  /// The most redirects that are followed.
  package static let redirectLimit = 20
  /// How long one hop may take.
  package static let hopTimeout = Duration.seconds(5)
  /// How long the whole chain may take.
  package static let timeout = Duration.seconds(20)

  private let client: Client
  private let start: Timestamp
  private var redirects = 0
  private var spent = Duration.zero
  private var current: AbsoluteURL?

  /// A walk that begins at a time.
  package init(as client: Client, at start: Timestamp) {
    self.client = client
    self.start = start
  }

  /// How long the next answer may take.
  package var timeLeft: Duration { min(Self.hopTimeout, Self.timeout - spent) }

  /// The first request.
  package mutating func begin(at text: String) -> Step {
    guard let url = AbsoluteURL(text) else {
      return .end(.failure("the URL must be absolute, with http or https: \(text)"))
    }
    return .ask(ask(url))
  }

  /// What follows from an answer that took so long.
  package mutating func take(_ response: Response, after delay: Duration) -> Step {
    spent += delay
    guard delay <= Self.hopTimeout, spent <= Self.timeout else { return giveUp() }
    let code = response.status.code
    let isRedirect = (300...303).contains(code) || code == 307 || code == 308
    if isRedirect { return follow(response.headers["Location"]) }
    if redirects == 0, client.isOwnHost {
      return .end(.failure("unexpected response: the first hop answered \(code), no redirect"))
    }
    return .end(ending(of: response))
  }

  /// What follows when no answer came in time.
  package func giveUp() -> Step { .end(.failure("timed out")) }

  private mutating func ask(_ url: AbsoluteURL) -> Ask {
    current = url
    var headers: Headers = ["Host": client.platform == .ios ? url.authorityWithoutPort : url.authority]
    headers.add("Connection", "close")
    headers.add("User-Agent", client.platform == .ios ? "Ringfence/1 (iOS 18.0)" : "Ringfence/1 (Android 15)")
    headers.add("Accept", "*/*")
    if client.platform == .ios { headers.add("x-sdk-request-date", (start + spent).iso8601Milliseconds) }
    headers.add("x-sdk-retry-attempt", "0")
    if let handset = client.handset { headers.add("X-Sandbox-Handset", handset.description) }
    if let bearer = client.bearer { headers.add("X-Sandbox-Bearer", bearer.rawValue) }
    return Ask(url: url, headers: headers)
  }

  private mutating func follow(_ location: String?) -> Step {
    guard redirects < Self.redirectLimit else {
      return .end(.failure("more than \(Self.redirectLimit) redirects"))
    }
    guard let location else { return .end(.failure("a redirect without Location")) }
    let next = client.platform == .ios ? AbsoluteURL(location) : current?.resolving(location)
    guard let next else { return .end(.failure("missing host in Location: \(location)")) }
    redirects += 1
    return .ask(ask(next))
  }

  /// What the app is given for a final answer.
  private func ending(of response: Response) -> Ending {
    guard (200...299).contains(response.status.code) else {
      return .failure("HTTP \(response.status.code) \(response.status.reason)")
    }
    if let fields = try? Fields(response.body) {
      if let code = try? fields.optionalString("code") { return .code(code) }
      if client.platform == .android, case (_?, let reason?) = words(fields) { return .failure(reason) }
      return .failure("no code in the answer")
    }
    guard response.headers["Content-Type"]?.lowercased().hasPrefix("text/plain") ?? false else {
      return .failure("the answer is neither JSON nor plain text")
    }
    return .text(String(decoding: response.body, as: UTF8.self))
  }

  private func words(_ fields: Fields) -> (status: String?, reason: String?) {
    (try? fields.optionalString("status"), try? fields.optionalString("reason"))
  }
}

extension AbsoluteURL {
  /// The host as it stands in a URL, the port left out.
  fileprivate var authorityWithoutPort: String { host.contains(":") ? "[\(host)]" : host }
}
