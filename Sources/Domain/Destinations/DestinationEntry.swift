import Basics

/// What `DestinationIndex` knows of a record.
///
/// A verification shares its entry with the first message to its destination that follows in the same batch,
/// at most 255 ordinals later. Almost every verification sends one, so there are half as many rows. Entries
/// in the order of their ordinals have their messages in order, too.
///
/// A restart makes other batches of the same records, when some of their rows are written. So a row takes
/// over the message of a later entry, and a message can be in two entries: searches skip it the second time.
struct DestinationEntry {
  /// The tables whose records have destinations.
  enum Kind: UInt32 { case verification, message }

  /// Of the destination and the kind: see `DestinationHash`.
  let hash: UInt32
  /// Of the record.
  let ordinal: Int
  /// How much larger the ordinal of the message is; 0: the entry has none.
  var messageOffset: UInt8 = 0

  /// The ordinal of its record of a kind.
  func ordinal(of kind: Kind) -> Int? {
    if hash & 1 == kind.rawValue { return ordinal }
    return kind == .message && messageOffset > 0 ? ordinal + Int(messageOffset) : nil
  }
}

/// The hash of a destination: 30 bits. With the kind of record as the last bit, SQLite needs four bytes, and
/// the entries of one destination are neighbours.
///
/// The same in every process, because rows have it.
struct DestinationHash {
  private let value: UInt32

  init(_ destination: String) {
    value = UInt32(truncatingIfNeeded: Entropy.fold(destination, 0)) >> 2
  }

  subscript(kind: DestinationEntry.Kind) -> UInt32 { value << 1 | kind.rawValue }
}
