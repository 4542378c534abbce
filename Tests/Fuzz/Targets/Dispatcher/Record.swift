/// A record of an input: 20 bytes. The first one makes the story, each other one a step. Missing bytes are 0.
///
/// ```
/// pool 1 | choice 2 | flags 1 | mutation 5 | mutation 5 | mutation 5 | unused 1
/// ```
struct Record {
  enum Pool { case provider, control, world }

  let pool: Pool
  /// The position of the base request, as a hash: see `BaseRequests`.
  let choice: UInt16
  let mutations: [Mutation]
  private let flags: UInt8

  /// The most records in one input: the story and 12 steps.
  static let limit = 13
  static let size = 20

  static func all(in bytes: UnsafeRawBufferPointer) -> [Record] {
    stride(from: 0, to: bytes.count, by: size).prefix(limit).map { start in
      var record = Array(bytes[start..<min(start + size, bytes.count)])
      record += Array(repeating: 0, count: size - record.count)
      return Record(record)
    }
  }

  private init(_ bytes: [UInt8]) {
    switch bytes[0] {
    case ..<160: pool = .provider
    case ..<208: pool = .control
    default: pool = .world
    }
    choice = UInt16(bytes[1]) << 8 | UInt16(bytes[2])
    flags = bytes[3]
    mutations = (0..<Int(flags & 3)).map { Mutation(bytes[(4 + 5 * $0)..<(9 + 5 * $0)]) }
  }

  /// True if ids in the request are replaced by similar ones of earlier answers.
  var linksValues: Bool { flags & 4 == 0 }

  var selection: Draft.Selection {
    switch flags >> 3 & 3 {
    case 2: .header
    case 3: .path
    default: .none
    }
  }

  /// How often the request is sent.
  var repetitions: Int {
    switch flags >> 5 {
    case 5: 2
    case 6: 3
    case 7: 8
    default: 1
    }
  }

  /// In the first record: every webhook is answered with status 500.
  var failsWebhooks: Bool { flags & 4 != 0 }
}

/// One change of a request.
struct Mutation {
  enum Operation: UInt8, CaseIterable {
    case replaceByExtreme, replaceByEarlier, replaceNumbers, bumpLastCharacter, delete, duplicate, multiply,
      insert
    case appendToQuery, emptyArrays, appendPage
  }

  let operation: Operation
  /// The position of the changed value; taken modulo the number of values.
  let place: Int
  /// The position of the new value in `extremes` or in the earlier values.
  let value: Int
  private let name: Int

  /// The name of a new field.
  func name(in names: [String]) -> String { names[name % names.count] }

  init(_ bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes)
    operation = Operation.allCases[Int(bytes[0]) % Operation.allCases.count]
    place = Int(bytes[1])
    value = Int(bytes[2])
    name = Int(bytes[3]) << 8 | Int(bytes[4])
  }
}
