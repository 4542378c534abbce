import Crypto
import Domain
import JSON
import ProviderKit

/// Add-ons about the SIM card, the handset and the network. Source: contract 10.3.
extension AddOnQuestion {
  /// When the SIM card was changed, and how much that matters.
  var simSwap: AddOnResult { SIMSwapCheck(of: line, at: now).result }

  /// Whether the number has left the network that it was given to, and where it is now.
  var portingStatus: AddOnResult {
    .found([
      .init("ported", isPorted),
      .init("mcc_current", subscriber.mcc),
      .init("mnc_current", subscriber.mnc),
    ])
  }

  /// The changes of network within some days, all where none are said. The carrier knows the last one only.
  var portingHistory: AddOnResult {
    get throws {
      let days = try fields.optionalInt("past_x_days")
      guard days.map({ (1...36_500).contains($0) }) ?? true else { return .failed(2807) }
      let since = days.map { now - .seconds($0 * 86_400) }
      let event = subscriber.portedAt.flatMap { time in
        time <= now && time >= since ?? time ? self.event(at: time) : nil
      }
      return .found([.init(name: "history", value: .array(event.map { [$0] } ?? []))])
    }
  }

  /// The handset. Its number is told as a hash. Source: `data/telesign-2022-phoneid-addons.swagger.yaml`.
  var deviceInfo: AddOnResult {
    guard !subscriber.isDeactivated(at: now) else { return .failed(2805) }
    let imei = subscriber.imei
    let isTest = imei.hasPrefix("00101301")
    let hash = HMAC.authenticate(Array(imei.utf8), key: Array("imei".utf8))
    return .found([
      .init("make", isTest ? "Test equipment" : nil),
      .init("model", isTest ? "00101301" : nil),
      .init("imei", Hex.encode(hash)),
    ])
  }

  private var isPorted: Bool { subscriber.ported && subscriber.portedAt.map { $0 <= now } ?? true }

  private func event(at time: Timestamp) -> JSON {
    .object([
      .init("ported_on", time.iso8601),
      .init("mcc_from", subscriber.originalMCC),
      .init("mnc_from", subscriber.originalMNC),
      .init("mcc_to", subscriber.mcc),
      .init("mnc_to", subscriber.mnc),
    ])
  }
}
