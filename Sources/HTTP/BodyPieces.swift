/// A large body that is produced while the client reads it, so that it is never whole in memory.
///
/// A class, because each piece exists once.
package final class BodyPieces {
  private let produce: () throws -> [UInt8]?
  private var isAtEnd = false

  /// `produce` returns pieces of any size, and nil at the end. It is called between other requests, so what it reads
  /// may have changed. After an error the connection closes, and the client sees that the body is incomplete.
  package init(_ produce: @escaping () throws -> [UInt8]?) { self.produce = produce }

  /// The next pieces, until they have `size` bytes or `isTimeUp`; nil at the end.
  package func next(size: Int, until isTimeUp: () -> Bool = { false }) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    while !isAtEnd, bytes.count < size, bytes.isEmpty || !isTimeUp() {
      guard let piece = try produce() else {
        isAtEnd = true
        break
      }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// All remaining pieces.
  package func collect() throws -> [UInt8] { try next(size: .max) ?? [] }
}
