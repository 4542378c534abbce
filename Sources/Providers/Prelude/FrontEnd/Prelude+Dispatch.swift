import Crypto
import Domain
import HTTP
import JSON

extension Prelude {
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
    /// The platform that its user agent tells, where it tells one.
    var platform: String?
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

    /// Whether a request of it came over the cellular interface.
    var isCellular: Bool { arrivals.contains { $0.method == HTTP.Method.options.rawValue } }

    /// The dispatch of an id, however its letters are written.
    static func find(_ id: String, in sandbox: Sandbox) throws -> Dispatch? {
      try sandbox.shelf.find(id.lowercased(), in: section).map { try Dispatch($0) }
    }

    /// Keeps it, and forgets the oldest where they are good for nothing any more.
    func keep(in sandbox: Sandbox) throws {
      try sandbox.shelf.keep(encoded, under: id, of: "", in: Self.section)
      for item in try sandbox.shelf.list(Self.section, of: "", limit: 2) {
        guard let createdAt = try Dispatch(item).createdAt,
          createdAt + Self.memory < sandbox.clock.now
        else { return }
        _ = try sandbox.shelf.forget(item.key, in: Self.section)
      }
    }

    private static let section = Shelf.Section(provider: name, kind: "dispatch")
    /// How long one is kept; the longest that the knob lets it count.
    private static let memory = Duration.seconds(86_400)
    /// How many requests of one are kept: SDKs repeat what they do not see answered.
    static let arrivalLimit = 16

    private init(_ item: Shelf.Item) throws {
      let fields = try Fields(Array(item.record.utf8))
      self.init(id: item.key)
      platform = try fields.optionalString("platform")
      features = try fields.int("features")
      arrivals = try fields.objects("arrivals").map { arrival in
        Arrival(
          method: try arrival.string("method"), source: try arrival.string("source"),
          at: Timestamp(milliseconds: Int64(try arrival.int("at"))),
          payload: Base64.decode(try arrival.string("payload")) ?? [])
      }
    }

    private var encoded: [UInt8] {
      JSONWriter.object { json in
        json.member("platform", platform)
        json.member("features", features)
        json.array("arrivals", arrivals) { json, arrival in
          json.value {
            $0.member("method", arrival.method)
            $0.member("source", arrival.source)
            $0.member("at", arrival.at.milliseconds)
            $0.member("payload", Base64.encode(arrival.payload))
          }
        }
      }
    }
  }
}

extension Prelude.Creation {
  /// Whether the dispatch that is named is too old to say anything. Source: contract 4.3.
  func isDispatchStale() throws -> Bool {
    guard let dispatch = try dispatch(), let createdAt = dispatch.createdAt else { return false }
    return createdAt + .seconds(call.knobs.signalsSeconds) < call.sandbox.clock.now
  }

  /// Whether this attempt can go silently. Source: contract 14.1.
  func isSilentEligible() throws -> Bool {
    guard target.number != nil, outcome.isSilent,
      open?.attempts.all.contains(where: { $0.channel == .silent }) != true
    else { return false }
    guard call.knobs.silentNeedsDispatch else { return true }
    guard let dispatch = try dispatch() else { return false }
    return dispatch.followsSilently && (dispatch.isCellular || !call.knobs.silentNeedsCellular)
  }

  private func dispatch() throws -> Prelude.Dispatch? {
    try form.signals.dispatchID.flatMap { try Prelude.Dispatch.find($0, in: call.sandbox) }
  }
}
