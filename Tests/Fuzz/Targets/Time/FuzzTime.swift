import Basics

/// A time is rejected, or survives formatting and parsing in every format.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTime(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let text = String(decoding: UnsafeRawBufferPointer(start: data, count: size), as: UTF8.self)
  if let time = Timestamp(rfc1123: text) {
    precondition(Timestamp(rfc1123: time.httpDate) == time, "\(text) is \(time.httpDate)")
  }
  for time in [Timestamp(rfc3339: text), Timestamp(iso8601: text)].compactMap(\.self) {
    precondition(
      Timestamp(iso8601: time.iso8601Milliseconds) == time, "\(text) is \(time.iso8601Milliseconds)")
  }
  return 0
}
