import HTTP
import Support
import Testing

@testable import Prove

@Suite("Prove · the page that plays a device", .contract("prove.md 6.2"))
struct ProvePageTests {
  @Test("style and script are served", arguments: [".css", ".js"])
  func served(ending: String) throws {
    let prove = try ProveWorld()

    try prove.open("/console/prove/handset\(ending)").matches(golden: "served")
    _ = try prove.world.send(
      .json(.put, "/control/faults", #"{"faults":[{"provider":"prove","status":500}]}"#))
    try prove.open("/console/prove/handset\(ending)").matches(golden: "fault")
  }
}
