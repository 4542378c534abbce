import ArgumentParser
import Basics
import Carrier
import Control
import Crypto
import Domain
import HTTP
import JSON
import Loop
import Numbers

/// `ringfence open URL`: opens the URL of a silent verification as a phone's SDK would. Source: issue 3, part
/// 6. `ringfence open FILE`: makes a sandbox from a shared verification. Source: issue 50, D 3.
struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open the URL of a silent verification as a phone would, or a shared verification.",
    discussion: """
      Of an HTML file from Share this failure, makes a new sandbox with its state, and prints the address of its page. \
      Of a URL, prints what the app gets. \
      Prints the code, or the text, of the last response; of a redirect to the app, its URL and the code in it. On \
      failure, prints the error and exits with status 1. \
      Follows redirects as the emulated client does: at most 20, 5 s each, 20 s in total, without cookies; ios \
      requires absolute URLs. Requests to the providers' host names go to the server, not to the provider.
      """)

  @Argument(help: "The URL that the app got from its back end, or a file.")
  var url: String
  @Option(
    name: .customLong("url"),
    help:
      "The server that answers for the providers' host names. Default: RINGFENCE_URL, else http://127.0.0.1:5550."
  )
  var server = ControlClient.defaultURL
  @OptionGroup var token: AdminTokenOption
  @Option(help: "The server's data folder, which holds its certificate authority. Default: the user's.")
  var data: String?
  @Option(name: .customLong("as"), help: "The client to emulate: ios or android.")
  var platform = Walk.Client.Platform.ios
  @Option(help: "The phone's number, such as +12025550100. Default: the gateway's mode decides.")
  var handset: String?
  @Option(help: "The phone's connection: cellular, wifi, vpn or tether.")
  var bearer: Bearer?
  @Option(help: "The local address to connect from, such as 127.10.1.1, as if bound to the mobile interface.")
  var from: String?
  @Flag(help: "Require a redirect as the first response, as for an endpoint that the app configures.")
  var own = false
  @Flag(help: "Print the result as JSON.")
  var json = false
  @Flag(help: "Print each response to standard error.")
  var verbose = false

  func validate() throws {
    if let handset, PhoneNumber(handset) == nil {
      throw ValidationError("--handset: expected a phone number such as +12025550100; found \(handset)")
    }
  }

  func run() throws {
    if !url.contains("://"), Files.exists(url) { return try openFile() }
    var client = Walk.Client()
    client.platform = platform
    client.isOwnHost = own
    client.handset = handset.flatMap(PhoneNumber.init)
    client.bearer = bearer
    guard let server = AbsoluteURL(server), !server.isSecure else {
      throw ValidationError("--url: expected http://ADDRESS:PORT; found \(server)")
    }
    let connector = Connector(
      server: server, authority: Authority.certificateFile(in: try Authority.folder(data)))
    var walk = Walk(as: client, at: Self.now)
    var step = walk.start(at: url)
    var last: AbsoluteURL?
    while case .request(let request) = step {
      if let last, let ending = walk.redirectEnding, connector.isLeft(from: last, to: request.url) {
        step = .end(ending)
      } else {
        step = next(after: request, in: &walk, connector)
      }
      last = request.url
    }
    guard case .end(let ending) = step else { return }
    let parts = ending.parts
    let shown = parts.filter { $0.name != "why" }
    if json {
      Output.json(.object(parts.map { .init($0.name, $0.text) }))
    } else {
      Output.lines(shown.map(\.text))
    }
    if shown.count < parts.count {
      if json { throw ExitCode.failure }
      throw PlainSocket.Failure(description: parts.last?.text ?? "")
    }
  }

  private func openFile() throws {
    // One byte more than the largest, so that the server says what is wrong.
    let file = try Files.read(url, limit: SharedFile.sizeLimit + 1)
    let client = try ControlClient(server, token: token)
    let response = try client.post(file: file, to: "/control/shared-files")
    Output.line(client.server.origin + (response.headers["Location"] ?? "/"))
  }

  /// Sends a request and returns the next step.
  private func next(
    after request: Walk.HopRequest, in walk: inout Walk, _ connector: Connector
  ) -> Walk.Step {
    let options = PlainSocket.SocketOptions(source: from, timeout: walk.timeLeft, bodyLimit: Self.bodyLimit)
    let started = Self.now
    do {
      let response = try connector.response(to: request, options)
      if verbose { Output.errorLine("\(response.status.code) \(request.url)") }
      return walk.next(after: response, delay: Self.now - started)
    } catch {
      let isTimeout = (error as? PlainSocket.Failure)?.isTimeout ?? false
      return isTimeout ? walk.timeOut() : .end(.failure("\(request.url.origin): \(error)"))
    }
  }

  /// Sends the requests of a walk.
  private struct Connector {
    /// Answers for the providers' host names, also as a proxy.
    let server: AbsoluteURL
    /// The PEM file of the server's certificate authority, if it exists.
    let authority: String

    /// True for a redirect from the server to any other host than its own and the gateway's.
    func isLeft(from last: AbsoluteURL, to next: AbsoluteURL) -> Bool {
      isServed(last) && !isServed(next) && !next.target.contains(Carrier.gatewayPath)
    }

    private func isServed(_ url: AbsoluteURL) -> Bool {
      let isLocal = [url, server].allSatisfy { HTTP.Authority(host: $0.host, port: nil).isLoopback }
      return url.host == server.host || isLocal || ProviderHosts.all.contains(url.host)
    }

    func response(to request: Walk.HopRequest, _ options: PlainSocket.SocketOptions) throws -> Response {
      let url = request.url
      let bytes = Array("GET \(url.target) HTTP/1.1\r\n".utf8) + request.headers.bytes + Array("\r\n".utf8)
      let isProvider = ProviderHosts.all.contains(url.host)
      let (host, port) = isProvider ? (server.host, server.port) : (url.host, url.port)
      guard url.isSecure else { return try PlainSocket.exchange(bytes, with: host, port: port, options) }
      let context = try TLSContext(trusting: Files.exists(authority) ? [authority] : [])
      return try Handshake.exchange(
        bytes, with: url.host,
        by: isProvider ? .tunnel(host: host, port: port) : .direct(host: host, port: port),
        trusting: context, options)
    }
  }

  private static var now: Timestamp { Timestamp(milliseconds: EventLoop.wallClockMilliseconds()) }

  /// The longest body that a phone's SDK reads, in bytes.
  private static let bodyLimit = 65_536
}

extension Walk.Client.Platform: ExpressibleByArgument {}
extension Bearer: ExpressibleByArgument {}

extension Walk.Ending {
  /// As the control API names them: `why` is last.
  fileprivate var parts: [(name: String, text: String)] {
    switch self {
    case .code(let code): [("code", code)]
    case .text(let text): [("text", text)]
    case .redirect(let redirect):
      [("url", redirect.url), ("code", redirect.code), ("why", redirect.error)].compactMap { name, text in
        text.map { (name, $0) }
      }
    case .failure(let reason): [("why", reason)]
    }
  }
}
