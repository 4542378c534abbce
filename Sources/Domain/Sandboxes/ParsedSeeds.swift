import Basics
import JSON

/// The files of seeds that were read for an earlier sandbox. Every test may create one with the same seeds.
///
/// A class because the copies of a library share what they have read.
final class ParsedSeeds {
  private struct Entry {
    let bytes: [UInt8]
    let document: Fields
  }

  /// The size of a file that is kept.
  private static let limit = 64 << 10
  /// By the name of the file.
  private var entries: [String: Entry] = [:]

  func find(_ file: SeedLibrary.File) -> Fields? {
    entries[file.name].flatMap { $0.bytes == file.bytes ? $0.document : nil }
  }

  func keep(_ document: Fields, of file: SeedLibrary.File) {
    guard file.bytes.count <= Self.limit else { return }
    entries[file.name] = Entry(bytes: file.bytes, document: document)
  }
}

/// The record that a subscriber of a seed had in an earlier new sandbox.
///
/// A class because it is kept with the fields that it was made of.
final class SeededRecord {
  let text: String
  let number: String
  /// The start of that sandbox's clock. Times in the record may count from it.
  private let start: Timestamp
  private let hasTimes: Bool

  /// `earlier`: that of another sandbox. With another start, only a record without such times is the same.
  init(_ text: String, of number: String, since start: Timestamp, before earlier: SeededRecord?) {
    (self.text, self.number, self.start) = (text, number, start)
    hasTimes = earlier.map { $0.start == start || $0.text != text } ?? true
  }

  func isValid(in sandbox: Sandbox) -> Bool {
    sandbox.isLoadingOwnSeeds && (!hasTimes || start == sandbox.startedAt)
  }
}
