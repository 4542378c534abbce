import HTTP
import ProviderKit

/// The four shapes in which the vendor refuses; which one follows from the path. Source: contract 2.5.
enum Family: Equatable {
  /// A: SMS, voice and app verification, and what else is old: negative numbers in `errors`.
  case legacy
  /// B: messaging, voice, PhoneID, Score: the number is `status.code`.
  case flat
  /// C: Verify API and omnichannel: 3xxx in `status.code`, with a `reference_id` beside some.
  case omnichannel
  /// D: Silent Verify.
  case silent

  /// The family of a path, also of one that has no route.
  init(path: String) {
    let flat = ["/v1/messaging", "/v1/voice", "/v1/score", "/intelligence"]
    let omnichannel = ["/verification", "/v1/omnichannel", "/capability", "/handset"]
    if path.hasPrefix("/silent") {
      self = .silent
    } else if omnichannel.contains(where: path.hasPrefix) {
      self = .omnichannel
    } else if flat.contains(where: path.hasPrefix) || Self.isPhoneID(path) {
      self = .flat
    } else {
      self = .legacy
    }
  }

  /// Whether a path of the flat family is one of PhoneID, Score and Intelligence. Source: contract 10.4 and 11.
  static func isLookup(_ path: String) -> Bool {
    isPhoneID(path) || path.hasPrefix("/v1/score") || path.hasPrefix("/intelligence")
  }

  /// `/v1/phoneid` and `/v1/phoneid/{number}`, but not the older `/v1/phoneid/{product}/{number}`.
  private static func isPhoneID(_ path: String) -> Bool {
    path.hasPrefix("/v1/phoneid") && path.split(separator: "/").count < 4
  }
}

/// What an account may have or have not, and how much of it in a second.
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
