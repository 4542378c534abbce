import JSON

/// A JSON document is rejected, or its value survives encoding and parsing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: size))
  guard let value = try? JSON(parsing: bytes) else { return 0 }
  let written = value.encoded()
  guard let again = try? JSON(parsing: written) else {
    preconditionFailure("rejected after encoding: \(String(decoding: written, as: UTF8.self))")
  }
  precondition(again == value, "\(value) became \(again)")
  precondition(again.encoded() == written)
  if let fields = try? Fields(value) { _ = fields.unread }
  return 0
}
