import Domain

/// A pattern, a zero byte, a text: the pattern is refused, takes too many steps, or finds a part of the text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPattern(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let parts = UnsafeRawBufferPointer(start: data, count: size).split(separator: 0, maxSplits: 1)
  let texts = parts.map { String(decoding: $0, as: UTF8.self) }
  guard let pattern = texts.first.flatMap({ try? TextPattern($0) }) else { return 0 }
  let text = texts.dropFirst().first ?? ""
  var steps = TextPattern.maxSteps
  let found = try? pattern.first(in: text, steps: &steps)
  precondition(steps <= TextPattern.maxSteps)
  if let found {
    precondition(Array(text.unicodeScalars).contains(Array(found.unicodeScalars)), "\(found) of \(text)")
  }
  return 0
}
