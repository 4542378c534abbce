import Crypto
import Domain
import HTTP
import JSON
import ProviderKit

/// What a device told of itself under one dispatch id: one request or two, in any order. Source: contract 13.
struct Dispatch {
  /// One request of it.
  struct Arrival {
    /// `POST` carries the payload, `OPTIONS` tells the cellular address.
    let method: String
    /// Where it came from.
    let source: String
    /// When.
    let at: Timestamp
    /// The payload as it came: nobody here reads it.
    let payload: [UInt8]
  }

  /// The id that the device made, in lower case.
  let id: String
  /// What its SDK has said of the device last.
  var agent: SDKAgent?
  /// The end of the SDK key that it came with, so that people can tell which it was.
  var keyEnd: String?
  /// What the app can do: bit 0 is silent verification.
  var features = 0
  /// Its requests, oldest first.
  var arrivals: [Arrival] = []

  /// A dispatch of which nothing has come yet.
  init(id: String) { self.id = id }

  /// When its first request came.
  var createdAt: Timestamp? { arrivals.first?.at }

  /// Whether the app follows silent URLs.
  var followsSilently: Bool { features & 1 == 1 }

  /// Whether a request of it came over the cellular interface: a beacon, or one from such an address.
  func isCellular(_ settings: Settings) -> Bool {
    arrivals.contains { arrival in
      arrival.method == HTTP.Method.options.rawValue
        || settings.cellularSources.contains { arrival.source.hasPrefix($0) }
    }
  }

  /// When it is worth nothing any more.
  func expiry(_ settings: Settings) -> Timestamp? { createdAt.map { $0 + .seconds(settings.signalsSeconds) } }

  /// What it says of the device, by the names that signals have in requests. Nobody here reads its payload.
  var signals: [JSON.Member] {
    let source = arrivals.first { !$0.payload.isEmpty } ?? arrivals.first
    let texts = [
      ("device_platform", agent?.platform?.rawValue), ("os_version", agent?.osVersion),
      ("user_agent", agent?.browser),
      ("ip", source?.address),
    ]
    return texts.compactMap { name, text in text.map { .init(name: name, value: .string($0)) } }
  }

  /// The dispatch of an id, however its letters are written.
  static func find(_ id: String, in sandbox: Sandbox) throws -> Dispatch? {
    try sandbox.records.find(id.lowercased(), in: section).map { try Dispatch($0) }
  }

  /// Keeps it, and forgets the oldest where they are good for nothing any more.
  func keep(in sandbox: Sandbox) throws {
    try sandbox.records.save(encoded, under: id, of: "", in: Self.section)
    for item in try sandbox.records.list(Self.section, of: "", limit: 2) {
      guard let createdAt = try Dispatch(item).createdAt,
        createdAt + Self.memory < sandbox.clock.now
      else { return }
      _ = try sandbox.records.delete(item.key, in: Self.section)
    }
  }

  private static let section = RecordStore.Section(provider: PreludeProvider.name, kind: "dispatch")
  /// How long one is kept; the longest that the setting lets it count.
  private static let memory = Duration.seconds(86_400)
  /// How many requests of one are kept: SDKs repeat what they do not see answered.
  static let arrivalLimit = 16

  private init(_ item: RecordStore.Item) throws {
    let fields = try Fields(Array(item.record.utf8))
    self.init(id: item.key)
    agent = try fields.optionalString("agent").flatMap(SDKAgent.init)
    keyEnd = try fields.optionalString("keyEnd")
    features = try fields.int("features")
    arrivals = try fields.objects("arrivals").map { arrival in
      Arrival(
        method: try arrival.string("method"), source: try arrival.string("source"),
        at: try arrival.time("at") ?? Timestamp(milliseconds: 0),
        payload: Base64.decode(try arrival.string("payload")) ?? [])
    }
  }

  private var encoded: [UInt8] {
    JSONWriter.object { json in
      json.member("platform", agent?.platform?.rawValue)
      json.member("agent", agent?.text)
      json.member("keyEnd", keyEnd)
      json.member("features", features)
      json.array("arrivals", arrivals) { json, arrival in
        json.value {
          $0.member("method", arrival.method)
          $0.member("source", arrival.source)
          $0.member("at", arrival.at.iso8601Exact)
          $0.member("payload", Base64.encode(arrival.payload))
        }
      }
    }
  }
}

extension Dispatch.Arrival {
  /// Where it came from, without the port.
  fileprivate var address: String {
    let host = source.first == "[" ? source.dropFirst().prefix { $0 != "]" } : source.prefix { $0 != ":" }
    return String(host)
  }
}

extension Creation {
  /// Whether the dispatch that is named is too old to say anything. Source: contract 4.3.
  func isDispatchStale() throws -> Bool {
    guard let expiry = try dispatch()?.expiry(call.settings) else { return false }
    return expiry < call.sandbox.clock.now
  }

  /// Whether this attempt can go silently. Source: contract 14.1.
  func isSilentEligible() throws -> Bool {
    guard target.number != nil, outcome.isSilent,
      open?.attempts.all.contains(where: { $0.channel == .silent }) != true
    else { return false }
    guard call.settings.silentNeedsDispatch else { return true }
    guard let dispatch = try dispatch(), try !isDispatchStale() else { return false }
    return dispatch.followsSilently
      && (!call.settings.silentNeedsCellular || dispatch.isCellular(call.settings))
  }

  private func dispatch() throws -> Dispatch? {
    try form.signals.dispatch(in: call.sandbox)
  }
}
