import Glibc
import Loop
import Testing

import struct Foundation.Date
import class Foundation.Thread

@Suite("Loop · EventLoop")
struct EventLoopTests {
  @Test("a loop without handles returns immediately")
  func empty() {
    let loop = EventLoop()
    var ticks = 0
    loop.onTickEnd { ticks += 1 }

    loop.run()

    #expect(ticks <= 2)
  }

  @Test("work posted on another thread runs on the loop, in order")
  func post() throws {
    let loop = EventLoop()
    let order = Recorder()
    let keepAlive = try Timer(loop) {}
    keepAlive.arm(after: .seconds(30))

    let thread = Thread {
      for number in 1...3 { loop.post { order.append("\(number)") } }
      loop.post { loop.stop() }
    }
    thread.start()
    loop.run()
    keepAlive.close()
    while loop.runOnce() {}

    #expect(order.texts == ["1", "2", "3"])
  }

  @Test("the tick ends after timers and posted work")
  func tickEnds() throws {
    let loop = EventLoop()
    let order = Recorder()
    loop.onTickEnd { if order.texts.last != "end" { order.append("end") } }
    let timer = try Timer(loop) {
      order.append("timer")
      loop.post { order.append("post") }
    }
    timer.arm(after: .zero)
    while order.texts.count < 4, loop.runOnce() || order.texts.count < 4 {}
    timer.close()
    while loop.runOnce() {}

    #expect(order.texts.filter { $0 != "end" } == ["timer", "post"])
    #expect(order.texts.last == "end")
  }

  /// Issue 45, B7. What is posted runs where the callbacks of sockets do.
  @Test("a turn's work is that of the processor, also in callbacks of sockets")
  func work() throws {
    let loop = EventLoop()
    var turns: [(duration: UInt64, worked: UInt64)] = []
    loop.onTurnEnd = { turns.append(($1, $2)) }
    let keepAlive = try Timer(loop) {}
    keepAlive.arm(after: .seconds(30))
    loop.post {
      let end = Self.processorMilliseconds + 40
      while Self.processorMilliseconds < end {}
    }
    while turns.allSatisfy({ $0.duration < 30 }) { _ = loop.runOnce() }
    keepAlive.close()
    while loop.runOnce() {}

    #expect(turns.contains { $0.worked >= 39 })
  }

  /// Of this thread.
  private static var processorMilliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  @Test("the wall clock is the machine's")
  func wallClock() {
    let seconds = Double(EventLoop.wallClockMilliseconds()) / 1000

    #expect(abs(seconds - Date().timeIntervalSince1970) < 2)
  }

  @Test("using a loop on another thread stops the program")
  func confinement() async {
    await #expect(processExitsWith: .failure) {
      let loop = EventLoop()
      let thread = Thread { loop.assertOnThread() }
      thread.start()
      while true { pause() }
    }
  }
}

@Suite("Loop · Timer")
struct TimerTests {
  @Test("a timer fires once, not before its time")
  func once() throws {
    let loop = EventLoop()
    let start = loop.now
    var fired: [Duration] = []
    let timer = try Timer(loop) { fired.append(loop.now - start) }
    timer.arm(after: .milliseconds(5))

    loop.run()
    timer.close()
    while loop.runOnce() {}

    #expect(fired.count == 1 && fired[0] >= .milliseconds(5))
  }

  @Test("a repeating timer fires until it is disarmed")
  func again() throws {
    let loop = EventLoop()
    var fired = 0
    var timer: Timer?
    timer = try Timer(loop) {
      fired += 1
      if fired == 3 { timer?.disarm() }
    }
    timer?.arm(after: .zero, every: .milliseconds(1))

    loop.run()
    timer?.close()
    while loop.runOnce() {}

    #expect(fired == 3)
  }

  @Test("timers fire in the order of their times")
  func order() throws {
    let loop = EventLoop()
    let order = Recorder()
    var timers: [Timer] = []
    for delay in [6, 2, 4] {
      let timer = try Timer(loop) { order.append("\(delay)") }
      timer.arm(after: .milliseconds(delay))
      timers.append(timer)
    }

    loop.run()
    for timer in timers { timer.close() }
    while loop.runOnce() {}

    #expect(order.texts == ["2", "4", "6"])
  }

  @Test("a closed timer releases its closure")
  func release() throws {
    let loop = EventLoop()
    weak var held: Recorder?
    do {
      let recorder = Recorder()
      held = recorder
      let timer = try Timer(loop) { recorder.append("") }
      timer.close()
      timer.arm(after: .zero)
    }
    while loop.runOnce() {}

    #expect(held == nil)
  }

  @Test(
    "durations are rounded up to milliseconds",
    arguments: [
      (Duration.zero, 0), (.seconds(-1), 0), (.nanoseconds(1), 1), (.milliseconds(2), 2),
      (.microseconds(2_001), 3), (.seconds(90), 90_000),
    ] as [(Duration, UInt64)])
  func rounding(_ duration: Duration, _ milliseconds: UInt64) {
    #expect(duration.roundedUpMilliseconds == milliseconds)
  }
}

/// Texts in order. Used on the loop's thread, and by the test after that has ended.
final class Recorder: @unchecked Sendable {
  private(set) var texts: [String] = []

  func append(_ text: String) { texts.append(text) }
}
