import ArgumentParser
import Domain
import Glibc
import HTTP
import JSON

/// What a server is told at its start. Flags win, then the environment (`RINGFENCE_…`), then the file.
struct Configuration {
  /// The words of each source, by an option's long name.
  private let flags: [String: String?]
  private let file: [String: String]

  /// Options from flags and, where `config` names one, from a file.
  init(flags: [String: String?]) throws {
    self.flags = flags
    let named = flags["config"] ?? nil
    guard let path = named ?? Self.environment("config") else {
      file = [:]
      return
    }
    file = try Self.readFile(path, known: flags.keys.sorted())
  }

  /// The text of an option, from the first source that has it.
  func text(_ name: String) -> String? {
    (flags[name] ?? nil) ?? Self.environment(name) ?? file[name]
  }

  /// The parts of an option that may name several things, parted by commas or blanks.
  func list(_ name: String) -> [String] {
    (text(name) ?? "").split { $0 == "," || $0 == " " }.map(String.init)
  }

  /// Hosts, domains' ends as `*.NAME`, or `all`, which is `*` from here on.
  func hosts(_ name: String) throws(ValidationError) -> [String] {
    try list(name).map { entry throws(ValidationError) in
      if entry == "all" { return "*" }
      let host = entry.hasPrefix("*.") ? entry.dropFirst(2) : entry[...]
      guard let place = HTTP.Authority(host), place.port == nil else {
        throw ValidationError(
          "--\(name): expected hosts such as example.com, *.example.com or all; found \(entry)")
      }
      return entry
    }
  }

  /// One of some words, else the first of them.
  func word(_ name: String, _ words: [String]) throws(ValidationError) -> String {
    guard let word = text(name) else { return words[0] }
    guard words.contains(word) else {
      throw ValidationError("--\(name): expected one of \(words.joined(separator: ", ")); found \(word)")
    }
    return word
  }

  /// A whole number from 0, where there is one.
  func number(_ name: String) throws(ValidationError) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw ValidationError("--\(name): expected a whole number from 0; found \(text)")
    }
    return number
  }

  /// A time, where there is one.
  func time(_ name: String) throws(ValidationError) -> Timestamp? {
    guard let text = text(name) else { return nil }
    guard let time = Timestamp(iso8601: text) else {
      throw ValidationError("--\(name): expected a time such as 2026-01-05T10:20:30Z; found \(text)")
    }
    return time
  }

  /// `RINGFENCE_ENTROPY_SEED` for `entropy-seed`.
  private static func environment(_ name: String) -> String? {
    let variable = "RINGFENCE_" + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
    return getenv(variable).map { String(cString: $0) }
  }

  private static func readFile(_ path: String, known: [String]) throws -> [String: String] {
    guard case .object(let members) = try JSON(parsing: Files.read(path)) else {
      throw ValidationError("\(path): expected a JSON object")
    }
    var options: [String: String] = [:]
    for member in members {
      guard known.contains(member.name) else {
        throw ValidationError(
          "\(path): expected one of \(known.joined(separator: ", ")); found \(member.name)")
      }
      switch member.value {
      case .string(let text): options[member.name] = text
      case .integer(let number): options[member.name] = String(number)
      default: throw ValidationError("\(path): \(member.name): expected a text or a number")
      }
    }
    return options
  }
}
