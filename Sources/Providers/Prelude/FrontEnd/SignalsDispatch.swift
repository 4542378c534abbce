import Crypto
import ProviderKit

/// The signals that a device has sent under one dispatch id, in one request or two, in any order.
/// Source: contract 13.
struct SignalsDispatch {
  struct ReceivedRequest {
    /// `POST` carries the payload, `OPTIONS` shows the cellular address.
    let method: String
    /// Address and port.
    let source: String
    let at: Timestamp
    /// Stored as received. The sandbox does not decode it.
    let payload: [UInt8]

    /// The address without the port.
    fileprivate var address: String {
      let host = source.first == "[" ? source.dropFirst().prefix { $0 != "]" } : source.prefix { $0 != ":" }
      return String(host)
    }
  }

  /// The device's id, in lower case.
  let id: String
  /// From the newest request.
  var agent: SDKAgent?
  /// The last characters of the SDK key, so that people can recognise it.
  var keySuffix: String?
  /// What the app supports: bit 0 is silent verification.
  var features = 0
  /// Oldest first.
  var requests: [ReceivedRequest] = []

  init(id: String) { self.id = id }

  /// SDKs repeat requests without a response; further ones are not stored.
  private static let maxRequests = 16
  /// Of all payloads, in bytes; SDKs send a few thousand. The last one that is stored may go beyond it.
  private static let maxPayload = 1 << 18

  var hasRoom: Bool {
    requests.count < Self.maxRequests && requests.reduce(0) { $0 + $1.payload.count } < Self.maxPayload
  }

  var createdAt: Timestamp? { requests.first?.at }

  var supportsSilent: Bool { features & 1 == 1 }

  /// True if a request came over the cellular interface: an `OPTIONS` request, or one from a cellular
  /// address.
  func isCellular(_ settings: Settings) -> Bool {
    requests.contains { request in
      request.method == HTTP.Method.options.rawValue
        || settings.cellularSources.contains { request.source.hasPrefix($0) }
    }
  }

  func isExpired(_ settings: Settings, at now: Timestamp) -> Bool {
    createdAt.map { $0 + .seconds(settings.signalsSeconds) < now } ?? false
  }

  /// What the requests show without their payload, by the names of signals in requests.
  var signals: [JSON.Member] {
    let request = requests.first { !$0.payload.isEmpty } ?? requests.first
    let texts = [
      ("device_platform", agent?.platform?.rawValue), ("os_version", agent?.osVersion),
      ("user_agent", agent?.browser), ("ip", request?.address),
    ]
    return texts.compactMap { name, text in text.map { .init(name: name, value: .string($0)) } }
  }

  /// The letter case of `id` does not matter.
  static func find(_ id: String, in sandbox: Sandbox) throws -> SignalsDispatch? {
    try sandbox.records.find(id.lowercased(), in: section).map { try SignalsDispatch($0) }
  }

  /// Also deletes old dispatches, two at most.
  func save(in sandbox: Sandbox) throws {
    try sandbox.records.save(encoded, under: id, of: "", in: Self.section)
    for item in try sandbox.records.list(Self.section, of: "", limit: 2) {
      guard let createdAt = try SignalsDispatch(item).createdAt,
        createdAt + Self.retention < sandbox.clock.now
      else { return }
      _ = try sandbox.records.delete(item.key, in: Self.section)
    }
  }

  private static let section = RecordStore.Section(provider: PreludeProvider.name, kind: "dispatch")
  /// The maximum of the setting `signalsSeconds`.
  private static let retention = Duration.seconds(86_400)

  private init(_ item: RecordStore.Item) throws {
    let fields = try Fields(Array(item.record.utf8))
    self.init(id: item.key)
    agent = try fields.optionalString("agent").flatMap(SDKAgent.init)
    keySuffix = try fields.optionalString("keyEnd")
    features = try fields.int("features")
    requests = try fields.objects("arrivals", atMost: .max).map { request in
      ReceivedRequest(
        method: try request.string("method"), source: try request.string("source"),
        at: Timestamp(rfc3339: try request.string("at")) ?? Timestamp(milliseconds: 0),
        payload: Base64.decode(try request.string("payload")) ?? [])
    }
  }

  private var encoded: [UInt8] {
    JSONWriter.object { json in
      json.member("platform", agent?.platform?.rawValue)
      json.member("agent", agent?.text)
      json.member("keyEnd", keySuffix)
      json.member("features", features)
      json.array("arrivals", requests) { json, request in
        json.value {
          $0.member("method", request.method)
          $0.member("source", request.source)
          $0.member("at", request.at.iso8601Exact)
          $0.member("payload", Base64.encode(request.payload))
        }
      }
    }
  }
}

/// The `User-Agent` of an SDK: `Prelude/0.5.1 Core/0.3.0 (iOS 18.0)`, or with the browser's own agent in
/// place of the system. Source: contract 13.1.
struct SDKAgent {
  let text: String
  /// What follows the version of the core.
  private let rest: Substring

  /// Nil for other agents.
  init?(_ text: String) {
    guard text.hasPrefix("Prelude/"), let core = text.firstRange(of: " Core/") else { return nil }
    self.text = text
    rest = text[core.upperBound...].drop { $0 != " " }.dropFirst()
  }

  var platform: DeviceSignals.Platform? {
    if browser != nil { return .web }
    return (system?.prefix { $0 != " " }.lowercased()).flatMap(DeviceSignals.Platform.init)
  }

  /// The platform that SDK keys are for: iOS for all Apple platforms.
  var keyPlatform: DeviceSignals.Platform? { platform.map { $0 == .ipados || $0 == .tvos ? .ios : $0 } }

  var osVersion: String? {
    let version = system?.drop { $0 != " " }.dropFirst() ?? ""
    return version.isEmpty ? nil : String(version)
  }

  /// The browser's own agent.
  var browser: String? { rest.hasPrefix("Mozilla/") ? String(rest) : nil }

  private var system: Substring? {
    rest.first == "(" && rest.last == ")" ? rest.dropFirst().dropLast() : nil
  }
}
