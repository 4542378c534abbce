import Domain
import JSON
import Loop

/// Looks how far the sandbox's clock is from this machine's, by which clients sign.
struct ClockExamination: Examination {
  static let area = "clock"
  let client: ControlClient
  let url: String

  func findings() throws -> [Finding] {
    let clock = try client.get("/control/clock")
    let (mode, text) = (try clock.string("mode"), try clock.string("now"))
    guard let now = Timestamp(iso8601: text) else { return [] }
    let ahead = now - Timestamp(milliseconds: EventLoop.wallClockMilliseconds())
    let away = abs(ahead.components.seconds)
    var findings = [Finding.good("its clock is \(mode), now \(text)")]
    if mode == "frozen" {
      findings = [
        .good(
          "its clock is frozen, now \(text)",
          fix: "nothing expires until it moves: ringfence clock advance 11m --url \(url)")
      ]
    }
    guard away > Self.tolerance else { return findings }
    return findings + [
      .doubtful(
        "its clock is \(Self.text(away)) \(ahead > .zero ? "ahead of" : "behind") this machine's: vendors that "
          + "check the time of a signature reject requests that were signed with this machine's clock",
        fix: "ringfence clock release --url \(url)")
    ]
  }

  /// The strictest limit that a vendor sets on the age of a signature, in seconds.
  private static let tolerance = 15 * 60

  private static func text(_ seconds: Int64) -> String {
    switch seconds {
    case 172_800...: "\(seconds / 86_400) days"
    case 7_200...: "\(seconds / 3_600) hours"
    default: "\(seconds / 60) minutes"
    }
  }
}
