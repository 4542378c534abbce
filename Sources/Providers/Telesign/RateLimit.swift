import Domain
import JSON
import ProviderKit

/// A product that can be switched off for the account, and that has its own rate limit.
enum Product: String, CaseIterable {
  case verify
  case silent
  case smsVerify = "sms_verify"
  case voiceVerify = "voice_verify"
  case smartVerify = "smart_verify"
  case appVerify = "app_verify"
  case push
  case messaging
  case omnichannel
  case voice
  case phoneID = "phoneid"
  case intelligence
  case teleBureau = "telebureau"
}

/// Limits the requests for a product per second of the sandbox's clock. Source: contract 15.
struct RateLimit {
  private let product: Product
  /// 0: unlimited.
  private let limit: Int

  init(_ product: Product, _ settings: Settings) {
    self.product = product
    limit = settings.rates[product]
  }

  func countRequest(in sandbox: Sandbox, _ format: ErrorFormat) throws {
    guard limit > 0 else { return }
    let second = Int(sandbox.clock.now.milliseconds / 1000)
    let count =
      try sandbox.records.find(product.rawValue, in: Self.section).map {
        let fields = try Fields(Array($0.record.utf8))
        return try fields.int("second") == second ? try fields.int("count") : 0
      } ?? 0
    guard count < limit else {
      throw APIError.rateLimited(in: format)
        .because("more than \(limit) requests in a second (setting rate.\(product.rawValue))")
    }
    let record = JSONWriter.object { json in
      json.member("second", second)
      json.member("count", count + 1)
    }
    try sandbox.records.save(record, under: product.rawValue, of: "", in: Self.section)
  }

  private static let section = RecordStore.Section(provider: TelesignProvider.name, kind: "rate-limit")
}
