import ProviderKit

/// One of the APIs with subscriptions. Source: contract 11.
enum EventAPI: String, CaseIterable, Sendable {
  case simSwap = "sim-swap-subscriptions"
  case roaming = "device-roaming-status-subscriptions"
  case reachability = "device-reachability-status-subscriptions"

  /// `/sim-swap-subscriptions/v0.3`
  var path: String { self == .simSwap ? "/\(rawValue)/v0.3" : "/\(rawValue)/v0.8" }

  var events: [EventKind] { EventKind.allCases.filter { $0.api == self } }

  var readScope: String { "\(rawValue):read" }
  var deleteScope: String { "\(rawValue):delete" }
  var scopes: [String] { events.map(\.scope) + [readScope, deleteScope] }

  /// `org.camaraproject.sim-swap-subscriptions.v0.swapped`
  func type(_ event: String) -> String { "org.camaraproject.\(rawValue).v0.\(event)" }

  /// The name of the lifecycle event that starts or ends a subscription.
  func lifecycleType(_ event: LifecycleEvent) -> String { type(event.rawValue) }

  var types: [String] {
    events.map(\.type) + LifecycleEvent.allCases.map(lifecycleType)
  }
}

enum LifecycleEvent: String, CaseIterable {
  case started = "subscription-started"
  case ended = "subscription-ended"
  /// The name of `ended` before Fall25.
  case ends = "subscription-ends"
}

/// What a subscription can be about.
enum EventKind: String, CaseIterable, Sendable {
  case swapped
  case roamingStatus = "roaming-status"
  case roamingOn = "roaming-on"
  case roamingOff = "roaming-off"
  case roamingChangeCountry = "roaming-change-country"
  case reachabilityData = "reachability-data"
  case reachabilitySMS = "reachability-sms"
  case reachabilityDisconnected = "reachability-disconnected"

  var api: EventAPI {
    switch self {
    case .swapped: .simSwap
    case .roamingStatus, .roamingOn, .roamingOff, .roamingChangeCountry: .roaming
    case .reachabilityData, .reachabilitySMS, .reachabilityDisconnected: .reachability
    }
  }

  var type: String { api.type(rawValue) }

  /// The scope that permits a subscription.
  var scope: String { "\(api.rawValue):\(type):create" }

  /// True if a change of a line is such an event.
  func happens(from former: Subscriber, to line: Subscriber) -> Bool {
    switch self {
    case .swapped: line.imsi != former.imsi
    case .roamingStatus: line.roaming.isOn != former.roaming.isOn
    case .roamingOn: line.roaming.isOn && !former.roaming.isOn
    case .roamingOff: !line.roaming.isOn && former.roaming.isOn
    case .roamingChangeCountry:
      line.roaming.isOn && former.roaming.isOn && line.roaming.code != nil
        && line.roaming.code != former.roaming.code
    case .reachabilityData, .reachabilitySMS, .reachabilityDisconnected:
      line.reach != former.reach && holds(for: line) && !holds(for: former)
    }
  }

  /// True if a line is in the state that the event reports.
  func holds(for line: Subscriber) -> Bool {
    switch self {
    case .swapped, .roamingChangeCountry: false
    case .roamingStatus: true
    case .roamingOn: line.roaming.isOn
    case .roamingOff: !line.roaming.isOn
    case .reachabilityData: line.reach.data
    case .reachabilitySMS: line.reach.sms && !line.reach.data
    case .reachabilityDisconnected: !line.reach.sms && !line.reach.data
    }
  }

  /// What its notification says about the line.
  func write(_ line: Subscriber, to json: inout JSONWriter) {
    switch self {
    case .roamingStatus: line.roaming.write(to: &json)
    case .roamingChangeCountry: line.roaming.writeCountry(to: &json)
    case .swapped, .roamingOn, .roamingOff, .reachabilityData, .reachabilitySMS, .reachabilityDisconnected:
      break
    }
  }
}

/// Why a subscription has ended.
enum TerminationReason: String, CaseIterable, Sendable {
  case maxEventsReached = "MAX_EVENTS_REACHED"
  case networkTerminated = "NETWORK_TERMINATED"
  case subscriptionExpired = "SUBSCRIPTION_EXPIRED"
  case accessTokenExpired = "ACCESS_TOKEN_EXPIRED"
  case subscriptionDeleted = "SUBSCRIPTION_DELETED"
}
