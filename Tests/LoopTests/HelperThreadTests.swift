import Glibc
import Loop
import Testing

@Suite("Loop · HelperThread")
struct HelperThreadTests {
  @Test("work is done in the order posted, and all of it before the end")
  func order() throws {
    let thread = try HelperThread()
    let order = Recorder()
    let posted = (1...100).map { "\($0)" }
    for text in posted { thread.post { order.append(text) } }

    #expect(thread.stop(within: .seconds(30)))
    #expect(order.texts == posted)
  }

  @Test("the end does not wait for work that never ends")
  func stuck() throws {
    let thread = try HelperThread()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    thread.post {
      var byte: UInt8 = 0
      _ = read(reading, &byte, 1)
    }

    #expect(!thread.stop(within: .milliseconds(10)))
    close(writing)
    #expect(thread.stop(within: .seconds(30)))
  }

  @Test("a result comes back to the loop")
  func result() throws {
    let (loop, thread) = (EventLoop(), try HelperThread())
    let keepAlive = try Timer(loop) {}
    keepAlive.arm(after: .seconds(30))
    var found = 0
    let end = loop.callback { (value: Int) in
      found = value
      keepAlive.close()
    }
    thread.post { end(42) }

    loop.run()

    #expect(found == 42)
    #expect(thread.stop(within: .seconds(30)))
  }
}
