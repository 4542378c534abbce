import Loop
import Testing

@Suite("Loop · threads beside the loop")
struct WorkerThreadTests {
  @Test("threads share a value one at a time")
  func shared() throws {
    let count = Locked(0)
    let threads = (1...8).compactMap { _ in
      WorkerThread { for _ in 1...1_000 { count.use { $0 += 1 } } }
    }

    #expect(threads.count == 8)
    for thread in threads { thread.join() }
    #expect(count.use { $0 } == 8_000)
  }
}
