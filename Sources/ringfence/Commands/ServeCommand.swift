import ArgumentParser
import Database
import Glibc
import HTTP
import JSON
import Loop
import Server

/// `ringfence serve`: runs the sandbox.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Run the sandbox.",
    discussion:
      "Each option can be set as RINGFENCE_<NAME> in the environment, or in a JSON file given to --config.")

  @Option(help: "Listen here; port 0 picks a free one. Default 127.0.0.1:5550.")
  var http: String?
  @Option(help: "Listen here for HTTPS too; or off. Default 127.0.0.1:5551.")
  var https: String?
  @Option(help: "The cellular gateway listens here too, over plain HTTP; or off. Default 127.0.0.1:5552.")
  var gateway: String?
  @Option(
    name: .customLong("public-url"), help: "Where phones reach all this, such as http://192.0.2.7:5550.")
  var publicURL: String?
  @Option(help: "Keep everything in this folder. Without it, all is in memory.")
  var data: String?
  @Option(
    help: "Write what clients of HTTPS have to trust into this folder: authority.pem, bundle.pem, trust.p12.")
  var trust: String?
  @Option(help: "normal survives a crash of the process, full also a loss of power.")
  var fsync: String?
  @Option(help: "How many of the newest ordinals of a sandbox are kept as history.")
  var history: String?
  @Option(help: "How many connections are served at once.")
  var connections: String?
  @Option(help: "json prints one line of JSON when the server listens; text is for people.")
  var ready: String?
  @OptionGroup var world: WorldOptions

  func run() throws {
    let options = try Configuration(
      flags: world.flags.merging([
        "http": http, "https": https, "gateway": gateway, "public-url": publicURL, "data": data,
        "trust": trust, "fsync": fsync, "history": history, "connections": connections, "ready": ready,
      ]) { $1 })
    let wanted = Wiring.Listening(
      http: try Self.address(options.text("http") ?? "127.0.0.1:5550", "http"),
      https: try Self.optionalAddress("https", in: options, else: "127.0.0.1:5551"),
      gateway: try Self.optionalAddress("gateway", in: options, else: "127.0.0.1:5552"))
    let printsJSON = try options.word("ready", ["text", "json"]) == "json"
    var limits = Server.Configuration()
    limits.connectionLimit = try options.number("connections") ?? limits.connectionLimit
    let wiring = try Wiring(Self.setup(options), log: .standard)
    defer { wiring.close() }
    try wiring.serve(on: wanted, limits: limits) { bound, server in
      try server.drainOnSignals()
      if printsJSON {
        Self.printReady(bound)
      } else {
        Greeting(wiring.sandboxes, at: bound).begin(in: wiring)
      }
    }
  }

  private static func setup(_ options: Configuration) throws -> Setup {
    var setup = try WorldOptions.setup(options)
    if let folder = options.text("data") {
      try Files.makeFolder(folder)
      try Files.lock(folder)
      setup.location = .file(path: "\(folder)/ringfence.sqlite")
      setup.authorityFolder = folder
    }
    setup.durability = try options.word("fsync", ["normal", "full"]) == "full" ? .full : .normal
    setup.publicURL = try publicURL(options)
    setup.historySpan = try options.number("history")
    setup.trustFolder = options.text("trust")
    return setup
  }

  /// Where a listener that can be off is to be.
  private static func optionalAddress(
    _ option: String, in options: Configuration, else usual: String
  ) throws(ValidationError) -> SocketAddress? {
    let text = options.text(option) ?? usual
    return text == "off" ? nil : try address(text, option)
  }

  /// `ADDRESS:PORT`, the address in brackets where it is one of IPv6.
  private static func address(_ text: String, _ option: String) throws(ValidationError) -> SocketAddress {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw ValidationError("--\(option): expected ADDRESS:PORT such as 127.0.0.1:5550; found \(text)")
    }
    let host = text[..<colon].filter { $0 != "[" && $0 != "]" }
    return SocketAddress(host: host == "localhost" ? "127.0.0.1" : host, port: port)
  }

  /// Scheme and authority, to which links add a path.
  private static func publicURL(_ options: Configuration) throws(ValidationError) -> String? {
    guard let text = options.text("public-url") else { return nil }
    guard let url = AbsoluteURL(text), url.target == "/", url.userInformation == nil else {
      throw ValidationError("--public-url: expected a URL such as http://192.0.2.7:5550; found \(text)")
    }
    return url.origin
  }

  private static func printReady(_ bound: Wiring.Listening) {
    let line = JSONWriter.object { json in
      json.member("ready", true)
      json.member("http", "http://\(bound.http)")
      json.member("https", bound.https.map { "https://\($0)" })
      json.member("gateway", bound.gateway.map { "http://\($0)" })
      json.member("pid", Int(getpid()))
    }
    Output.line(String(decoding: line, as: UTF8.self))
  }
}
