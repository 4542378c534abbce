import ArgumentParser
import Carrier
import Domain
import HTTP
import JSON
import Loop

/// `ringfence open URL`: follows a silent URL as a phone's SDK would, over real sockets. Source: issue 3, part 6.
struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open a silent URL as a phone would, and print what the app gets.",
    discussion: """
      Prints the code, or the text, of the last answer; a failure goes to standard error with status 1. \
      Redirects are followed by the rules of the client that is played: 20 at most, 5 s each, 20 s in all, no \
      cookies; ios wants them absolute.
      """)

  @Argument(help: "The URL that the app was given.")
  var url: String
  @Option(name: .customLong("as"), help: "The client that is played: ios or android.")
  var platform = Walk.Client.Platform.ios
  @Option(help: "The number of the handset, such as +12025550100; none: the gateway's mode decides.")
  var handset: String?
  @Option(help: "What carries the requests: cellular, wifi, vpn or tether.")
  var bearer: Bearer?
  @Option(help: "Connect from this address, such as 127.10.1.1, as if bound to the mobile interface.")
  var from: String?
  @Flag(help: "The first answer must be a redirect, as with an endpoint that the app has set.")
  var own = false
  @Flag(help: "Print every hop to standard error.")
  var verbose = false

  func validate() throws {
    if let handset, PhoneNumber(handset) == nil {
      throw ValidationError("--handset: expected a phone number such as +12025550100; found \(handset)")
    }
  }

  func run() throws {
    var client = Walk.Client()
    client.platform = platform
    client.isOwnHost = own
    client.handset = handset.flatMap(PhoneNumber.init)
    client.bearer = bearer
    var walk = Walk(as: client, at: Self.now)
    var step = walk.start(at: url)
    while case .request(let request) = step { step = next(after: request, in: &walk) }
    guard case .end(let ending) = step else { return }
    switch ending {
    case .code(let text), .text(let text): Output.line(text)
    case .failure(let reason): throw PlainSocket.Failure(description: reason)
    }
  }

  /// Asks over a socket, and says what follows.
  private func next(after request: Walk.HopRequest, in walk: inout Walk) -> Walk.Step {
    guard !request.url.isSecure else {
      return .end(.failure("\(request.url.origin): this client speaks plain HTTP only"))
    }
    let head =
      Array("GET \(request.url.target) HTTP/1.1\r\n".utf8) + request.headers.bytes + Array("\r\n".utf8)
    let started = Self.now
    do {
      let response = try PlainSocket.exchange(
        head, with: request.url.host, port: request.url.port,
        .init(source: from, timeout: walk.timeLeft, bodyLimit: Self.limit))
      if verbose { Output.errorLine("\(response.status.code) \(request.url)") }
      return walk.next(after: response, delay: Self.now - started)
    } catch {
      return error.isTimeout ? walk.timeOut() : .end(.failure("\(request.url.origin): \(error)"))
    }
  }

  private static var now: Timestamp { Timestamp(milliseconds: EventLoop.wallClockMilliseconds()) }

  /// The most bytes of a body that a phone's SDK takes.
  private static let limit = 65_536
}

extension Walk.Client.Platform: ExpressibleByArgument {}
extension Bearer: ExpressibleByArgument {}
