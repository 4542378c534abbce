import Testing

@testable import ringfence

@Suite("Passes over the log")
struct LogPassesTests {
  @Test("requests wait for a pass after one that has left little")
  func rest() {
    var passes = LogPasses()
    let isFirstLast = passes.begin(isNearLimit: false)
    #expect(!isFirstLast)
    #expect(passes.isRunning && !passes.areUnfinished)

    for grown in [80 << 20, 5 << 20, 1 << 20] {
      passes.end(wasLast: false, grown: grown)
      #expect(!passes.isRunning && passes.areUnfinished)
      let isLast = passes.begin(isNearLimit: false)
      #expect(isLast == (grown == 1 << 20))
    }
    passes.end(wasLast: true, grown: 0)

    #expect(!passes.isRunning && !passes.areUnfinished)
    let isNextLast = passes.begin(isNearLimit: false)
    #expect(!isNextLast)
  }

  @Test("a log that has started again needs no further pass")
  func startedAgain() {
    var passes = LogPasses()
    _ = passes.begin(isNearLimit: false)

    passes.end(wasLast: false, grown: -1)

    #expect(!passes.areUnfinished)
    let isNextLast = passes.begin(isNearLimit: false)
    #expect(!isNextLast)
  }

  @Test("on a slow disk, requests wait in the end")
  func slowDisk() {
    var passes = LogPasses()
    var count = 0
    while !passes.begin(isNearLimit: false) {
      passes.end(wasLast: false, grown: 50 << 20)
      count += 1
    }
    #expect(count == 8)

    passes.end(wasLast: true, grown: 0)
    let isLast = passes.begin(isNearLimit: true)
    #expect(isLast)
  }
}
