import Domain

/// The code of a text is one of its candidates, which are digits, each once.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCode(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let text = String(decoding: UnsafeRawBufferPointer(start: data, count: size), as: UTF8.self)
  for isSpoken in [false, true] {
    let written = WrittenCode(in: text, isSpoken: isSpoken, parties: ["+12025550100", text])
    precondition(Set(written.candidates).count == written.candidates.count)
    precondition(written.candidates.allSatisfy { (4...10).contains($0.utf8.count) && Int($0) != nil })
    precondition(written.code.map(written.candidates.contains) ?? true)
  }
  return 0
}
