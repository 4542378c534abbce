import Domain
import JSON
import ProviderKit

/// A number by itself: what a change of a list answers. Source: contract 6.1 and 6.3.
struct NumberBody {
  let number: PhoneNumber

  /// The members.
  func write(to json: inout JSONWriter) {
    json.member("phone_number", number.description)
  }
}

/// An allow or block list. Source: contract 6.1.
struct NumberListBody {
  let entries: [NumberList.Entry]

  /// The members.
  func write(to json: inout JSONWriter) {
    json.array("phone_numbers", entries) { json, entry in
      json.value {
        $0.member("phone_number", entry.number.description)
        $0.member("created_at", entry.createdAt.iso8601Milliseconds)
      }
    }
  }
}

/// A test number as an addition answers it. Source: contract 6.3.
struct TestNumberBody {
  let number: PhoneNumber
  let attemptCode: String

  /// The members.
  func write(to json: inout JSONWriter) {
    json.member("phone_number", number.description)
    json.member("attempt_code", attemptCode)
  }
}

/// The test numbers. Source: contract 6.3.
struct TestNumberListBody {
  let numbers: [TestNumber]

  /// The members.
  func write(to json: inout JSONWriter) {
    json.array("phone_numbers", numbers) { json, entry in
      json.value {
        TestNumberBody(number: entry.number, attemptCode: entry.attemptCode).write(to: &$0)
        $0.member("created_at", entry.createdAt.iso8601Milliseconds)
      }
    }
  }
}

/// A sender as a submission answers it. Source: contract 6.2.
struct SenderIDBody {
  let sender: SenderID

  /// The members.
  func write(to json: inout JSONWriter) {
    json.member("sender_id", sender.name)
    json.member("status", sender.status.rawValue)
    if let reason = sender.reason { json.member("reason", reason) }
  }
}

/// The senders. Source: contract 6.2.
struct SenderIDListBody {
  let senders: [SenderID]

  /// The members; a list tells no reasons.
  func write(to json: inout JSONWriter) {
    json.array("sender_ids", senders) { json, sender in
      json.value {
        $0.member("sender_id", sender.name)
        $0.member("status", sender.status.rawValue)
      }
    }
  }
}
