import Domain
import JSON
import ProviderKit

/// A message to be sent, as its shape has it, its rules kept. Source: contract 1.1
struct Message {
  /// Whom it is for.
  let target: PushAttempt.Target
  /// All of it, names in camel case.
  let whole: JSON
  /// What the app reads, on Android where nothing else is said.
  let data: Texts
  /// Whether nothing is to be sent.
  let isDryRun: Bool

  /// The kinds of target, of which a message has one.
  static let targetKinds = ["token", "fid", "topic", "condition"]
  /// The most bytes that a message may bring to an app.
  static let limit = 4096
  /// How long a message waits for its device, where it does not say: four weeks, the longest there is.
  static let longest = Duration.seconds(28 * 86_400)

  /// Reads the body of a request.
  init(_ body: JSON) throws(Problem) {
    var reader = ShapeReader()
    let read = reader.read(body, as: sendShape, at: "")
    guard reader.violations.isEmpty, let read else { throw Problem(reader.violations) }
    guard let message = read["message"] else {
      throw Problem(.invalidArgument, "Message is not set.", why: "the body has no member message")
    }
    whole = message
    isDryRun = read["validateOnly"] == .bool(true)
    target = try Self.target(of: message)
    data = Texts(message["data"])
    try judge()
  }

  /// What a body names as its target, read or not; for the log of attempts.
  static func glimpse(of body: JSON) -> (target: PushAttempt.Target?, isDryRun: Bool) {
    let target = targets(of: body["message"] ?? .null).first
    return (target, (body["validate_only"] ?? body["validateOnly"]) == .bool(true))
  }

  /// The texts of an object below the message: `android.notification`.
  subscript(path: String...) -> JSON? {
    path.reduce(whole) { json, name in json?[name] }
  }

  private static func targets(of message: JSON) -> [PushAttempt.Target] {
    targetKinds.compactMap { kind in
      message[kind]?.text.map { PushAttempt.Target(kind: kind, value: $0) }
    }
  }

  private static func target(of message: JSON) throws(Problem) -> PushAttempt.Target {
    let named = targets(of: message)
    guard let first = named.first else {
      throw Problem(.invalidArgument, "Recipient of the message is not set.")
    }
    if named.count > 1 {
      let place = "Invalid value at 'message' (oneof), oneof field 'target' is already set."
      throw Problem([Violation(field: "message", description: "\(place) Cannot set '\(named[1].kind)'")])
    }
    return first
  }
}

extension Texts {
  /// The texts of an object that holds nothing else; none where there is no object.
  init(_ json: JSON?) {
    self.init((json?.members ?? []).compactMap { member in member.value.text.map { (member.name, $0) } })
  }
}

extension JSON {
  /// The text, where it is one.
  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The members, where it is an object.
  var members: [Member] { if case .object(let members) = self { members } else { [] } }
}
