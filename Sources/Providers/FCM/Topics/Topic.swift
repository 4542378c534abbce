import Domain
import JSON
import ProviderKit

/// A name that apps subscribe to. Subscriptions are records of the records. Source: contract 1.6
enum Topic {
  /// A topic's form. Source: https://firebase.google.com/docs/cloud-messaging/js/topic-messaging; the length is what
  /// the vendor's SDK for Android checks, `[a-zA-Z0-9-_.~%]{1,900}`.
  static func isName(_ text: String) -> Bool {
    (1...900).contains(text.utf8.count) && text.utf8.allSatisfy(isNameByte)
  }

  /// Letters, digits and `-_.~%`.
  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-_.~%".utf8.contains(byte)
    }
  }

  /// Whether a token hears of a topic.
  static func isSubscribed(_ token: String, to topic: String, in sandbox: Sandbox) throws -> Bool {
    try sandbox.records.find(key(token, topic), in: section) != nil
  }

  /// Lets a token hear of a topic.
  static func subscribe(_ token: String, to topic: String, in sandbox: Sandbox) throws {
    let record = JSONWriter.object {
      $0.member("topic", topic)
      $0.member("token", token)
    }
    try sandbox.records.save(record, under: key(token, topic), of: topic, in: section)
  }

  /// Lets it hear no more.
  static func unsubscribe(_ token: String, from topic: String, in sandbox: Sandbox) throws {
    _ = try sandbox.records.delete(key(token, topic), in: section)
  }

  /// The devices whose topics pass a test, each once; tokens that are worth nothing any more are passed over.
  static func devices(in sandbox: Sandbox, where isMeant: (Set<String>) -> Bool) throws -> [Device] {
    var topics: [String: Set<String>] = [:]
    var tokens: [String] = []
    for item in try sandbox.records.all(section) {
      let fields = try Fields(Array(item.record.utf8))
      let token = try fields.string("token")
      if topics[token] == nil { tokens.append(token) }
      topics[token, default: []].insert(try fields.string("topic"))
    }
    return try tokens.filter { isMeant(topics[$0] ?? []) }.compactMap { token in
      guard case .device(let device) = try sandbox.devices.owner(ofToken: token), device.tokenState == .ok
      else { return nil }
      return device
    }
  }

  private static let section = RecordStore.Section(provider: FCMProvider.name, kind: "subscription")

  private static func key(_ token: String, _ topic: String) -> String { "\(topic) \(token)" }
}
