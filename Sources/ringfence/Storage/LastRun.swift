import Database
import Glibc

/// The file `state` of a data folder: a server has used the folder, and has ended, or runs, or was killed.
struct LastRun {
  let path: String

  init(folder: String) { path = "\(folder)/\(Self.name)" }

  static let name = "state"

  /// What the file says; nil if no server has written it: none has used the folder, or the disk had no room.
  private var word: String? {
    guard let bytes = try? Files.read(path, limit: Self.length), bytes.count == Self.length else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// True if a server uses the folder or was killed. Then its log exists.
  var isOpen: Bool { word.map { $0 != Self.padded("ended") } ?? false }

  /// True if the machine was not started since.
  var isOfThisBoot: Bool { word == Self.padded(Self.boot) && !Self.boot.isEmpty }

  func noteStart() throws(Files.Failure) { try write(Self.boot) }

  func noteEnd() throws(Files.Failure) { try write("ended") }

  /// In place and with the same length, because a full disk has no room for more.
  private func write(_ word: String) throws(Files.Failure) {
    try Files.overwrite(path, with: Array(Self.padded(word).utf8))
  }

  private static let length = 37

  private static func padded(_ word: String) -> String {
    word + String(repeating: " ", count: max(0, length - 1 - word.utf8.count)) + "\n"
  }

  /// Another one after each start of the machine: a UUID.
  private static var boot: String {
    let bytes = (try? Files.read("/proc/sys/kernel/random/boot_id", limit: length)) ?? []
    return String(decoding: bytes.prefix(length - 1), as: UTF8.self)
  }
}
