import ArgumentParser
import HTTP
import JSON
import ProviderKit

/// `ringfence doctor`: looks at a running server, and at the way to it, and says what to do about what is wrong.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check a sandbox and the way to it, and say how to mend what is wrong.",
    discussion: "✓ is well, · is worth knowing, ! may be meant so, ✗ is wrong and makes the exit status 1.")

  /// How findings are written.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Option(help: "Where the server should listen. Default: RINGFENCE_URL, else http://127.0.0.1:5550.")
  var url: String?
  @Option(
    help:
      "Where HTTPS should be. Default: RINGFENCE_HTTPS_URL, else 127.0.0.1:5551, or for another --url its proxy."
  )
  var https: String?
  @Option(help: "The data folder of the sandbox, in which its authority is. Default: the user's own.")
  var data: String?
  @Option(
    name: [.customLong("sdk"), .customLong("for")],
    help: "Say first what this needs, such as twilio-node or java.")
  var sdk: String?
  @Option(help: "text, or json for programs.")
  var format = Format.text
  @Flag(help: "Only ask whether the server is ready, as a health check does.")
  var quick = false

  func run() throws {
    let subject = try subject()
    if quick { return try askWhetherReady(subject.url) }
    let sections = try needs(at: subject) + examine(subject)
    switch format {
    case .text: sections.flatMap(\.findings).forEach { Output.line($0.description) }
    case .json: Output.line(String(decoding: Self.json(sections), as: UTF8.self))
    }
    if sections.contains(where: { $0.findings.contains { $0.mark == .bad } }) { throw ExitCode.failure }
  }

  /// What was found in an area.
  private typealias Section = (area: String, findings: [Finding])

  private func subject() throws -> Subject {
    let text = url ?? ControlClient.usualURL
    guard let place = AbsoluteURL(text), !place.isSecure else {
      throw ValidationError("--url: expected http://ADDRESS:PORT; found \(text)")
    }
    return Subject(url: place, tls: try tls(of: place), authorityFolder: data ?? Authority.userFolder)
  }

  /// How the TLS of a server is reached that listens here; where nobody has said where, its proxy has it too.
  private func tls(of server: AbsoluteURL) throws -> Handshake.ConnectionMode {
    let told = url == nil ? Environment["RINGFENCE_HTTPS_URL"] : nil
    let usual = server.origin == DefaultAddresses.http ? DefaultAddresses.https : nil
    guard let text = https ?? told ?? usual else { return .tunnel(host: server.host, port: server.port) }
    guard let place = AbsoluteURL(text.hasPrefix("https://") ? text : "https://\(text)") else {
      throw ValidationError("--https: expected ADDRESS:PORT; found \(text)")
    }
    return .direct(host: place.host, port: place.port)
  }

  private func needs(at subject: Subject) throws -> [Section] {
    guard let sdk else { return [] }
    guard let known = SDK.all.first(where: { $0.name == sdk }) else {
      throw ValidationError(
        "--sdk: expected one of \(SDK.all.map(\.name).joined(separator: ", ")); found \(sdk)")
    }
    return [("sdk", known.requirements(at: subject.base))]
  }

  /// Looks at everything, or at what there is to look at while no sandbox answers.
  private func examine(_ subject: Subject) throws -> [Section] {
    let (names, proxy) = (NameExamination(), ProxyExamination(subject: subject))
    var examinations: [any Examination] = [ListenerExamination(subject: subject)]
    if let client = try? ControlClient(subject.base, timeout: PlainSocket.timeout),
      (try? client.get("/control/clock")) != nil
    {
      examinations += [
        ClockExamination(client: client, url: subject.base),
        SandboxExamination(client: client, url: subject.base),
        TrustExamination(subject: subject, isLedHere: names.leadHere || proxy.leadsHere),
      ]
    }
    // The last, since this process is nobody afterwards.
    examinations += [proxy, names, IsolationExamination()]
    return try examinations.map { (type(of: $0).area, try $0.findings()) }
  }

  private func askWhetherReady(_ url: AbsoluteURL) throws(ExitCode) {
    guard let obstacle = Self.obstacle(to: url) else { return Output.line("ready") }
    Output.errorLine("not ready: \(obstacle)")
    throw .failure
  }

  /// Why a server is not ready; nil where it is.
  private static func obstacle(to url: AbsoluteURL) -> String? {
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
    let findings = sections.flatMap { section in section.findings.map { (section.area, $0) } }
    return JSONWriter.object { json in
      json.array("findings", findings) { json, entry in
        let (area, finding) = entry
        json.value { json in
          json.member("area", area)
          json.member("mark", finding.mark.rawValue)
          json.member("text", finding.text)
          json.member("fix", finding.fix)
        }
      }
    }
  }
}
