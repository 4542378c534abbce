import ArgumentParser
import ProviderKit

/// `ringfence doctor`
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Find out why requests do not reach the sandbox, and how to fix it.",
    discussion: """
      ✓ works, · information, ! may be intentional, ✗ does not work; with any ✗ the exit status is 1.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Option(help: "The server's address. Default: RINGFENCE_URL, else http://127.0.0.1:5550.")
  var url: String?
  @Option(
    help: """
      The server's HTTPS address. Default: RINGFENCE_HTTPS_URL, else 127.0.0.1:5551; with --url, the proxy at that \
      address.
      """)
  var https: String?
  @Option(
    help: """
      The server's data folder, which holds its certificate authority. Default: the user's. With this option, the \
      database is checked too.
      """)
  var data: String?
  @Option(
    name: [.customLong("sdk"), .customLong("for")],
    help: "Explain first how this SDK, language or provider can reach the sandbox, such as java or vonage.",
    completion: .list(SDK.names))
  var sdk: String?
  @Option(help: "The output format: text or json.")
  var format = Format.text
  @Flag(help: "The same as --format json.")
  var json = false
  @OptionGroup var token: AdminTokenOption
  @Flag(help: "Only check that the server is ready, for health checks.")
  var quick = false

  func validate() throws {
    guard !quick || !json && format == .text && (sdk ?? https ?? data) == nil else {
      throw ValidationError("--quick: expected no other option but --url")
    }
  }

  func run() throws {
    let target = try target()
    if quick { return try checkReadiness(of: target.url) }
    let sections = try requirements(at: target) + check(target)
    switch json ? .json : format {
    case .text: sections.flatMap(\.results).forEach { Output.line($0.description) }
    case .json: Output.json(Self.json(sections))
    }
    if sections.contains(where: { $0.results.contains { $0.status == .error } }) { throw ExitCode.failure }
  }

  private typealias Section = (check: String, results: [CheckResult])

  private func target() throws -> DoctorTarget {
    let text = url ?? ControlClient.defaultURL
    guard let address = AbsoluteURL(text), !address.isSecure else {
      throw ValidationError("--url: expected http://ADDRESS:PORT; found \(text)")
    }
    return DoctorTarget(
      url: address, tls: try tls(of: address), authorityFolder: data ?? Authority.userFolder, token: token)
  }

  /// The HTTPS address, or the tunnel through the proxy if no address is known.
  private func tls(of server: AbsoluteURL) throws -> Handshake.ConnectionMode {
    let variable = url == nil ? Environment["RINGFENCE_HTTPS_URL"] : nil
    let fallback = server.origin == DefaultAddresses.http ? DefaultAddresses.https : nil
    guard let text = https ?? variable ?? fallback else {
      return .tunnel(host: server.host, port: server.port)
    }
    guard let address = AbsoluteURL(text.hasPrefix("https://") ? text : "https://\(text)") else {
      throw ValidationError("--https: expected ADDRESS:PORT; found \(text)")
    }
    return .direct(host: address.host, port: address.port)
  }

  private func requirements(at target: DoctorTarget) throws -> [Section] {
    guard let sdk else { return [] }
    let known = SDK.all(named: sdk)
    guard !known.isEmpty else { throw ValidationError("--sdk: \(SDK.names.expectation(found: sdk))") }
    return [("sdk", known.flatMap { $0.requirements(at: target.base) })]
  }

  /// Runs all checks, or those that need no server if none answers.
  private func check(_ target: DoctorTarget) throws -> [Section] {
    let (names, proxy) = (NameCheck(), ProxyCheck(target: target))
    var checks: [any Check] = [ListenerCheck(target: target)]
    if let client = try? ControlClient(target.base, token: token, timeout: PlainSocket.timeout),
      (try? client.get("/control/clock")) != nil
    {
      checks += [
        ClockCheck(client: client, url: target.base),
        SandboxCheck(client: client, url: target.base, token: token),
        TrustCheck(target: target, clientsConnectHere: names.resolvesHere || proxy.pointsHere),
      ]
    }
    if let data { checks.append(DataCheck(folder: data)) }
    checks += [proxy, names, ProjectCheck(folder: "."), IsolationCheck()]
    return try checks.map { (type(of: $0).name, try $0.results()) }
  }

  private func checkReadiness(of url: AbsoluteURL) throws(ExitCode) {
    guard let problem = Self.readinessProblem(of: url) else { return Output.line("ready") }
    Output.errorLine("not ready: \(problem)")
    throw .failure
  }

  private static func readinessProblem(of url: AbsoluteURL) -> String? {
    let head = "GET /readyz HTTP/1.1\r\nHost: \(url.host)\r\nConnection: close\r\n\r\n"
    do {
      let response = try PlainSocket.exchange(
        Array(head.utf8), with: url.host, port: url.port, .init(timeout: .seconds(2)))
      return response.status.code == 200 ? nil : "status \(response.status.code)"
    } catch {
      return "\(url.origin): \(error)"
    }
  }

  private static func json(_ sections: [Section]) -> [UInt8] {
    let results = sections.flatMap { section in section.results.map { (section.check, $0) } }
    return JSONWriter.object { json in
      json.array("results", results) { json, entry in
        let (check, result) = entry
        json.value { json in
          json.member("check", check)
          json.member("status", result.status.rawValue)
          json.member("text", result.text)
          json.member("fix", result.fix)
        }
      }
    }
  }
}
