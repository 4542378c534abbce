import Domain
import JSON
import ProviderKit

/// A subscription's configuration. Source: contract 10.
struct SubscriptionBody {
  let subscription: Subscription

  /// The members.
  func write(to json: inout JSONWriter) {
    json.member("id", subscription.id)
    json.member("name", subscription.title)
    json.member("callback_url", subscription.callbackURL)
    json.object("messages") { subscription.answers.write(to: &$0) }
    json.array("mo_phone_numbers", subscription.lines) { json, line in
      json.value {
        $0.member("country_code", line.country)
        $0.member("phone_number", line.number)
      }
    }
    json.member("created_at", subscription.createdAt.iso8601Milliseconds)
    json.member("updated_at", subscription.updatedAt.iso8601Milliseconds)
  }
}

/// A number in a subscription. Source: contract 10.
struct MembershipBody {
  let membership: Membership

  /// The members.
  func write(to json: inout JSONWriter) {
    membership.writeFacts(to: &json)
    json.member("updated_at", membership.at.iso8601Milliseconds)
  }
}

/// What happened to a number in a subscription. Source: contract 10.
struct MembershipEventBody {
  let event: Membership

  /// The members.
  func write(to json: inout JSONWriter) {
    event.writeFacts(to: &json)
    json.member("timestamp", event.at.iso8601Milliseconds)
  }
}

extension Membership {
  /// What a number and its events have in common on the wire.
  fileprivate func writeFacts(to json: inout JSONWriter) {
    json.member("config_id", config)
    json.member("phone_number", number.description)
    json.member("state", state.rawValue)
    json.member("source", source.rawValue)
    if let reason { json.member("reason", reason) }
  }
}
