/// Changes whole records of an input. The mutations of libFuzzer would shift bytes, and with them the meaning
/// of all later records.
@_cdecl("LLVMFuzzerCustomMutator")
public func changeRecords(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int, _ seed: CUnsignedInt
) -> Int {
  var mutator = RecordMutator(seed: UInt64(seed))
  var records = RecordMutator.records(data, size)
  repeat { mutator.change(&records) } while mutator.oneIn(2)
  return RecordMutator.write(records, to: data, atMost: limit)
}

/// Joins the story and the first steps of one input, and the last steps of another.
@_cdecl("LLVMFuzzerCustomCrossOver")
public func joinRecords(
  _ first: UnsafePointer<UInt8>, _ firstSize: Int, _ second: UnsafePointer<UInt8>, _ secondSize: Int,
  _ result: UnsafeMutablePointer<UInt8>, _ limit: Int, _ seed: CUnsignedInt
) -> Int {
  var mutator = RecordMutator(seed: UInt64(seed))
  let (first, second) = (
    RecordMutator.records(first, firstSize), RecordMutator.records(second, secondSize)
  )
  let start = first.prefix(1 + mutator.below(first.count))
  return RecordMutator.write(
    start + second.dropFirst().suffix(mutator.below(second.count)), to: result, atMost: limit)
}

private struct RecordMutator {
  typealias Bytes = [UInt8]

  private var state: UInt64

  init(seed: UInt64) { state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493 }

  /// At least the story.
  static func records(_ data: UnsafePointer<UInt8>, _ size: Int) -> [Bytes] {
    let records = stride(from: 0, to: size, by: Record.size).map { start in
      let bytes = Bytes(UnsafeBufferPointer(start: data + start, count: min(Record.size, size - start)))
      return bytes + Bytes(repeating: 0, count: Record.size - bytes.count)
    }
    return records.isEmpty ? [Bytes(repeating: 0, count: Record.size)] : records
  }

  /// Returns the number of written bytes.
  static func write(_ records: some Sequence<Bytes>, to data: UnsafeMutablePointer<UInt8>, atMost limit: Int)
    -> Int
  {
    let bytes = Array(records.prefix(Record.limit).joined().prefix(limit))
    data.update(from: bytes, count: bytes.count)
    return bytes.count
  }

  mutating func change(_ records: inout [Bytes]) {
    let step = 1 + below(records.count - 1)
    switch below(10) {
    case 0...3 where records.count < Record.limit, _ where records.count == 1:
      records.insert(randomStep(), at: 1 + below(records.count))
    case 0...3: records[step] = randomStep()
    case 4: records.remove(at: step)
    case 5 where records.count < Record.limit: records.insert(records[step], at: 1 + below(records.count))
    case 6:
      if oneIn(2) { (records[0][1], records[0][2]) = (byte(), byte()) }
      addMutation(to: &records[0])
    case 7: records[step][3] = records[step][3] & 3 | byte() & ~3
    default: addMutation(to: &records[step])
    }
  }

  private mutating func randomStep() -> Bytes {
    var step = Bytes(repeating: 0, count: Record.size)
    switch below(10) {
    case 0...5: step[0] = 0
    case 6: step[0] = 160
    default: step[0] = 208
    }
    (step[1], step[2]) = (byte(), byte())
    if oneIn(8) { step[3] = byte() & ~3 }
    while oneIn(2) { addMutation(to: &step) }
    return step
  }

  /// Adds a mutation, or changes one of a record that has three.
  private mutating func addMutation(to record: inout Bytes) {
    let count = Int(record[3] & 3)
    let place = count < 3 ? count : below(3)
    record[3] = record[3] & ~3 | UInt8(max(count, place + 1))
    let start = 4 + 5 * place
    record.replaceSubrange(start..<(start + 5), with: [operation(), byte(), byte(), byte(), byte()])
    // The first values are the numbers and the empty containers.
    if oneIn(2) { record[start + 2] = UInt8(below(22)) }
    if oneIn(4) { record[start + 2] = 0 }
  }

  /// Half of them change the whole request.
  private mutating func operation() -> UInt8 {
    let whole: [Mutation.Operation] = [.replaceNumbers, .emptyArrays, .appendPage]
    return oneIn(2) ? whole[below(whole.count)].rawValue : UInt8(below(Mutation.Operation.allCases.count))
  }

  mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  private mutating func byte() -> UInt8 { UInt8(below(256)) }

  /// A number from 0; 0 if `count` is 0.
  mutating func below(_ count: Int) -> Int {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return count > 0 ? Int((bits ^ bits >> 31) % UInt64(count)) : 0
  }
}
