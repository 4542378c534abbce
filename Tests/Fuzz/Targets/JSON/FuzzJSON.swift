import JSON

/// A JSON document is rejected, or its value survives encoding and parsing. Parsing in pieces has the same
/// result.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: size))
  let whole = try? JSON(parsing: bytes)
  precondition(whole == parseInPieces(bytes), "another result in pieces")
  if case .object = whole {
    precondition(whole == readByMembers(bytes), "another result member by member")
  } else {
    precondition(readByMembers(bytes) == nil, "accepted member by member")
  }
  guard let value = whole else { return 0 }
  let written = value.encoded()
  guard let again = try? JSON(parsing: written) else {
    preconditionFailure("rejected after encoding: \(String(decoding: written, as: UTF8.self))")
  }
  precondition(again == value, "\(value) became \(again)")
  precondition(again.encoded() == written)
  if let fields = try? Fields(value) { _ = fields.unread }
  return 0
}

/// Nil for a document that is rejected.
private func parseInPieces(_ bytes: [UInt8]) -> JSON? {
  var parser = PiecewiseParser(bytes, limits: .standard)
  do {
    while true {
      if let document = try parser.parse(bytes: 7) { return document }
    }
  } catch {
    return nil
  }
}

/// Nil for a document that is rejected, or is no object.
private func readByMembers(_ bytes: [UInt8]) -> JSON? {
  var reader = JSONReader(bytes)
  do {
    try reader.enterObject()
    var members: [JSON.Member] = []
    while let name = try reader.nextMember() {
      var skipping = reader
      let value = try reader.value()
      try skipping.skipValue(atMost: bytes.count)
      members.append(JSON.Member(name: name, value: value))
    }
    try reader.finish()
    return .object(members)
  } catch {
    return nil
  }
}
