import Control
import Domain
import HTTP
import JSON

/// Why a request of the journal was refused, and what to change.
struct Explanation {
  private let exchange: JSON
  private let seeds: SeedLibrary
  private let calls: ControlCalls
  private let why: String?
  /// True if the failure that has caused the answer is no longer on, or has happened as often as it should.
  private let hasEnded: Bool
  /// The destination of the verification that the request is about.
  private let subject: String?
  /// What became of messages that the request sent, if that is not usual.
  private let problems: [(text: String, number: String, isOnPurpose: Bool)]

  init(of exchange: JSON, in sandbox: Sandbox?, _ seeds: SeedLibrary, _ calls: ControlCalls) throws {
    self.exchange = exchange
    self.seeds = seeds
    self.calls = calls
    let reason = exchange["why"]?.text
    let hasEnded =
      reason?.contains("to end it: Break") ?? false
      && FailureTools.rules(at: Fault.controlPath, calls).allSatisfy {
        if let times = $0["times"] { times == $0["applied"] } else { false }
      }
    self.hasEnded = hasEnded
    why = hasEnded ? reason?.replacing(/to end it: [^)]*/, with: "it has ended") : reason
    guard let sandbox, let id = exchange["id"]?.text, let ordinal = Journal.Exchange.ordinal(of: id),
      let effects = sandbox.journal.find(ordinal)?.effects
    else {
      (subject, problems) = (nil, [])
      return
    }
    subject = try effects.verification.flatMap { try sandbox.verifications.find($0) }?.claim.destination
    let newest = try sandbox.messages.newest(.init(), onHandsets: false, limit: Self.messageLimit)
    problems = try newest.filter { effects.contains($0.ordinal) }.compactMap { message in
      try sandbox.messages.problem(with: message).map { text in
        (text, message.destination, sandbox.deliveryNotes[message.ordinal]?.isOnPurpose ?? false)
      }
    }
  }

  private static let messageLimit = 100

  var json: JSON {
    let change = changes
    return ToolMaker.present([
      ("outcome", .string(outcome)), ("why", (why ?? problems.first?.text).map(JSON.string)),
      ("change", .array(change.map(JSON.string))), ("request", exchange.withParsedBodies),
    ])
  }

  private var outcome: String {
    if status == 0 { return "no answer" }
    if status >= 400 { return "refused" }
    return why == nil && problems.isEmpty ? "accepted" : "answered with \(status): see why"
  }

  private var status: Int64 {
    if case .integer(let status)? = exchange["response"]?["status"] { status } else { 0 }
  }

  private var provider: String? { exchange["provider"]?.text }
  private var unread: [String] { exchange["unread"]?.items?.compactMap(\.text) ?? [] }
  private var nearest: [String] { exchange["nearest"]?.items?.compactMap(\.text) ?? [] }

  /// In the order in which they are worth a try.
  private var changes: [String] {
    let isOnPurpose = why?.hasPrefix(brokenOnPurpose) ?? false
    let known =
      (isOnPurpose ? [fault] : []) + lost + lines + format + misspelt + routes
      + (isOnPurpose ? [] : credentials + codes)
      + [exchange["change"]?.text].compactMap(\.self)
    return known.isEmpty ? documented : known
  }

  private var fault: String {
    hasEnded
      ? "The failure has ended. Send the request again."
      : "A failure is on in this sandbox. To end it, call repair."
  }

  /// The failures that are on and took a message.
  private var lost: [String] {
    guard let problem = problems.first(where: \.isOnPurpose) else { return [] }
    let names = FailureTools.rules(at: Scenario.controlPath, calls).filter { rule in
      rule["number"].map { $0.text == problem.number } ?? true && rule["applied"] != .integer(0)
    }
    .compactMap { $0["failure"]?.text }
    let which = names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
    return ["A failure of messages is on in this sandbox\(which). To end it, call repair."]
  }

  /// What the lines to which messages did not arrive have, and what the provider answers about such lines.
  private var lines: [String] {
    guard let problem = problems.first(where: { !$0.isOnPurpose }),
      let line = try? calls.fetch("/control/subscribers/\(PercentCoding.encode(problem.number))")
    else { return [] }
    let failures = FailureTools.failures(of: line).map { names in
      "The line \(problem.number) has \(names.joined(separator: " or ")). To end it, call repair with failure "
        + "\(names[0]) and number \(problem.number)."
    }
    guard let provider, let type = line["lineType"]?.text, type != "mobile" else { return failures }
    let errors = (try? seeds.documentedErrors(of: provider, about: type)) ?? []
    return failures + errors.map { "\(provider)'s error \($0.row.code): \($0.explanation)" }
  }

  /// `body: expected a form (application/x-www-form-urlencoded); found JSON`
  private var format: [String] {
    guard let why, why.hasPrefix("body: expected "), let end = why.firstRange(of: "; found ") else {
      return []
    }
    return ["Send the body as \(why[..<end.lowerBound].dropFirst("body: expected ".count))."]
  }

  /// Fields that nobody reads, with the one that was missed.
  private var misspelt: [String] {
    // `Channel: expected sms or call`
    let missed = why.flatMap { $0.split(separator: ":").first }.map {
      String($0.split(separator: ".").last ?? $0)
    }
    return unread.compactMap { name -> String? in
      if name.hasSuffix(" (repeated)") { return "Send the field \(name.split(separator: " ")[0]) once." }
      if let missed, [missed].nearest(to: name) != nil {
        return "Rename the field \(name): it is read by nobody, and \(missed) is missing or wrong."
      }
      // What comes after a wrong field is not read, although its name may be right.
      guard status < 400 else { return nil }
      return
        "The field \(name) is read by nobody: correct its name, or leave it out. The provider's guide has the names."
    }
  }

  private var routes: [String] {
    if provider != nil, exchange["route"]?.text != nil, status == 404, why?.contains("not emulated") ?? false
    {
      return ["Do without this operation: the provider has it, the sandbox has not."]
    }
    guard status != 405, let first = nearest.first else { return [] }
    return ["Correct the path. The nearest ones: \(([first] + nearest.dropFirst()).joined(separator: ", "))."]
  }

  private var credentials: [String] {
    guard status == 401 || status == 403, let provider else { return [] }
    return [
      "Check credentials and signature against those that show_sandbox has for \(provider), and that the request "
        + "goes to the sandbox whose they are."
    ]
  }

  /// In bytes. A code is at the start of a request, or in a small one.
  private static let largestCheck = 1 << 16

  /// A code of the request that was sent to another number than the request names.
  private var codes: [String] {
    guard why != nil || status >= 400 else { return [] }
    let sent = [exchange["request"]?["target"]?.text, exchange["request"]?["body"]?.text].compactMap(\.self)
    let bytes = Array(sent.joined(separator: "\n").utf8.prefix(Self.largestCheck))
    let text = PercentCoding.decode(bytes, plusIsSpace: false).map { Array($0.utf8) } ?? bytes
    let has = { ByteSearch(for: $0).isFound(in: text) }
    let messages = (try? calls.fetch("/control/messages?order=newest&limit=100"))?["messages"]?.items ?? []
    for message in messages {
      guard let code = message["code"]?.text, !code.isEmpty, let number = message["to"]?.text,
        has(code)
      else { continue }
      guard number != subject, !has(String(number.drop { $0 == "+" })) else { return [] }
      return [
        "The code \(code) was sent to \(number), and the request is about another number or verification. Use the "
          + "code that get_code has for the number that the app verifies."
      ]
    }
    return []
  }

  /// What the provider's list of errors says about the code of the answer.
  private var documented: [String] {
    guard status >= 400, why == nil, let provider, let body = exchange["response"]?["body"]?.text,
      let answer = try? JSON(parsing: Array(body.utf8)), let code = answer.errorCode,
      let errors = try? calls.fetch(
        "/control/errors?provider=\(PercentCoding.encode(provider))&code=\(PercentCoding.encode(code))"),
      let text = errors["errors"]?.items?.first?["explanation"]?.text, !text.isEmpty
    else { return [] }
    return ["\(provider)'s error \(code): \(text)"]
  }
}

extension JSON {
  /// The code in a provider's error, where most have it.
  fileprivate var errorCode: String? {
    for member in [self["code"], self["error"]?["code"], self["errors"]?.items?.first?["code"]] {
      switch member {
      case .string(let text): return text
      case .integer(let number): return String(number)
      default: continue
      }
    }
    return nil
  }
}
