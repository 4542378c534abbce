import Catalog
import CatalogSupport
import Compare
import Support

/// A recording is rejected, or each of its requests can be sent to a fresh sandbox and compared.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecording(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: size))
  guard let recording = try? Recording(bytes, isProvider: { _ in true }), !recording.entries.isEmpty,
    let world = try? TestSandbox.withCatalog()
  else { return 0 }
  var replay = Replay(recording, on: ReplayServer(world.sandboxes, providers: catalog))
  do {
    let report = try replay.run()
    precondition(report.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, report.text)
    _ = report.json
    _ = report.document(of: "fuzz")
  } catch {
    preconditionFailure("\(error)")
  }
  return 0
}
