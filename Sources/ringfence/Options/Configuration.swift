import ArgumentParser
import Basics
import Domain
import Glibc
import HTTP
import JSON
import Loop

/// Option values from three sources: flags win, then the environment (`RINGFENCE_…`), then a JSON file.
struct Configuration {
  /// By option name.
  private let flags: [String: String?]
  private let file: [String: String]
  /// The path of `file`.
  private let path: String?

  /// Reads the file that the option `config` names, if any.
  init(flags: [String: String?]) throws {
    self.flags = flags
    path = (flags["config"] ?? nil) ?? Self.environment("config")
    file = try path.map { try Self.readFile($0, known: flags.keys.sorted()) } ?? [:]
  }

  func text(_ name: String) -> String? {
    (flags[name] ?? nil) ?? Self.environment(name) ?? file[name]
  }

  /// Where an option has its value from, for errors: `--clock`, `RINGFENCE_CLOCK`, `options.json: clock`.
  func source(of name: String) -> String {
    if flags[name] ?? nil != nil { return "--\(name)" }
    if Self.environment(name) != nil { return Self.variable(name) }
    return path.flatMap { file[name] == nil ? nil : "\($0): \(name)" } ?? "--\(name)"
  }

  /// The items of a list, separated by commas or spaces.
  func list(_ name: String) -> [String] {
    (text(name) ?? "").split { $0 == "," || $0 == " " }.map(String.init)
  }

  /// Hosts, suffixes such as `*.NAME`, or the word for all hosts, which becomes `*`.
  func hosts(_ name: String, all: String = "all") throws(ValidationError) -> [String] {
    let entries = list(name)
    func mismatch(_ found: String) -> ValidationError {
      ValidationError(
        "\(source(of: name)): expected hosts such as example.com, *.example.com or \(all); found \(found)")
    }
    if text(name) != nil, entries.isEmpty { throw mismatch("none") }
    return try entries.map { entry throws(ValidationError) in
      if entry == all { return "*" }
      if SocketAddress(host: entry, port: 0).isNumeric { return entry }
      let host = entry.hasPrefix("*.") ? entry.dropFirst(2) : entry[...]
      guard let place = HTTP.Authority(host), place.port == nil else { throw mismatch(entry) }
      return entry
    }
  }

  /// One of the allowed values; the first is the default.
  func choice(_ name: String, _ allowed: [String]) throws(ValidationError) -> String {
    guard let value = text(name) else { return allowed[0] }
    guard allowed.contains(value) else {
      throw ValidationError("\(source(of: name)): \(allowed.expectation(found: value))")
    }
    return value
  }

  /// True if a switch is on.
  func isOn(_ name: String) throws(ValidationError) -> Bool { try choice(name, ["false", "true"]) == "true" }

  /// An integer of at least 0; nil if not set.
  func number(_ name: String) throws(ValidationError) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw ValidationError("\(source(of: name)): expected an integer of at least 0; found \(text)")
    }
    return number
  }

  /// An integer in a range; nil if not set.
  func number(_ name: String, in range: ClosedRange<Int>) throws(ValidationError) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw ValidationError(
        "\(source(of: name)): expected an integer from \(range.lowerBound) to \(range.upperBound); found \(text)"
      )
    }
    return number
  }

  /// How long something unused is kept; nil if not set.
  func ttl(_ name: String) throws(ValidationError) -> Duration? {
    try span(name, in: Duration.ttlRange, expected: FieldType<Duration>.ttl.expected)
  }

  /// Nil if not set.
  func span(
    _ name: String, in range: ClosedRange<Duration>, expected: String? = nil
  ) throws(ValidationError) -> Duration? {
    guard let text = text(name) else { return nil }
    guard let span = Duration(text: text), range.contains(span) else {
      let expected =
        expected ?? "a time such as 30s or 10m, from \(range.lowerBound.text) to \(range.upperBound.text)"
      throw ValidationError("\(source(of: name)): expected \(expected); found \(text)")
    }
    return span
  }

  /// Throws if an option is set to an empty text.
  func requireValues() throws(ValidationError) {
    if let name = flags.keys.sorted().first(where: { text($0)?.allSatisfy(\.isWhitespace) ?? false }) {
      throw ValidationError("\(source(of: name)): expected a value; found none")
    }
  }

  /// Throws if one of the options is set that have no effect without another one.
  func require(_ name: String, for dependents: [String]) throws(ValidationError) {
    guard text(name) == nil, let vain = dependents.first(where: { text($0) != nil }) else { return }
    throw ValidationError("\(source(of: vain)): has no effect without --\(name)")
  }

  /// Nil if not set.
  func time(_ name: String) throws(ValidationError) -> Timestamp? {
    guard let text = text(name) else { return nil }
    let range = SandboxClock.range
    guard let time = Timestamp(iso8601: text), range.contains(time) else {
      throw ValidationError(
        """
        \(source(of: name)): expected a time such as 2026-01-05T10:20:30Z, from \(range.lowerBound.iso8601) to \
        \(range.upperBound.iso8601); found \(text)
        """)
    }
    return time
  }

  private static func environment(_ name: String) -> String? {
    getenv(variable(name)).map { String(cString: $0) }
  }

  /// `RINGFENCE_ENTROPY_SEED` for `entropy-seed`.
  static func variable(_ name: String) -> String {
    "RINGFENCE_" + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
  }

  private static func readFile(_ path: String, known: [String]) throws -> [String: String] {
    let bytes = try Files.read(path)
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch {
      throw ValidationError("\(path): \(FieldError(error, in: bytes))")
    }
    guard case .object(let members) = json else {
      throw ValidationError("\(path): expected a JSON object")
    }
    var options: [String: String] = [:]
    for member in members {
      guard member.name != "config" else {
        throw ValidationError("\(path): config: expected in no file, which would name another one")
      }
      guard known.contains(member.name) else {
        throw ValidationError("\(path): unknown option: \(known.expectation(found: member.name))")
      }
      guard let text = member.value.formText else {
        throw ValidationError("\(path): \(member.name): expected a string, a number or a Boolean")
      }
      options[member.name] = text
    }
    return options
  }
}

extension [String] {
  /// The error for a name that is none of these: `expected one of a, b; found c; did you mean b?`
  func expectation(found name: String) -> String {
    let hint = nearest(to: name).map { "; did you mean \($0)?" } ?? ""
    return "expected one of \(joined(separator: ", ")); found \(name)\(hint)"
  }
}
