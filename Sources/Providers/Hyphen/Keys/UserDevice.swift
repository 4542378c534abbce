import ProviderKit

/// A device of a user, as its SDK describes it. Source: contract 4.3.
struct UserDevice: Equatable, Sendable {
  enum System: String, CaseIterable, Sendable {
    case iOS, iPadOS
    case android = "Android"
  }

  enum Kind: String, CaseIterable, Sendable {
    case mobile, tablet
  }

  /// Empty until the sandbox gives it one.
  var id = ""
  var publicKey = ""
  /// Empty if the device gets no pushes.
  var pushToken = ""
  var name = ""
  var system = System.android
  var systemVersion = ""
  var manufacturer = ""
  var model = ""
  var language = "en"
  var kind = Kind.mobile
  var sdkVersion: String?

  /// In requests.
  static let schema = Schema<UserDevice>([
    idField, .required("publicKey", \.publicKey, .publicKey), pushTokenField,
    .required("name", \.name, .string(1...255)),
    .required("osName", \.system, .word),
    .required("osVersion", \.systemVersion, .string(0...100)),
    .required("deviceManufacturer", \.manufacturer, .string(0...255)),
    .required("deviceModel", \.model, .string(0...255)),
    .required("lang", \.language, .string(1...35)),
    .required("type", \.kind, .word), sdkVersionField,
  ])

  /// In records and seeds, where most members have a default.
  static let optionalFields: [Field<UserDevice>] =
    [idField, .field("publicKey", \.publicKey, .optionalPublicKey, default: "", "Its public key.")]
    + changeableFields + [
      .field("type", \.kind, .word, default: .mobile, "Its kind.")
    ]

  /// What a signed-in device can change. Source: contract 5.2.
  static let change = Schema<UserDevice>([idField] + changeableFields)

  private static let changeableFields: [Field<UserDevice>] = [
    pushTokenField,
    .field("name", \.name, .string(1...255), "The name, such as that of the model."),
    .field("osName", \.system, .word, default: .android, "The operating system."),
    .field(
      "osVersion", \.systemVersion, .string(0...100), default: "", "The version of the operating system."),
    .field(
      "deviceManufacturer", \.manufacturer, .string(0...255), default: "",
      "The manufacturer."),
    .field("deviceModel", \.model, .string(0...255), default: "", "The model."),
    .field("lang", \.language, .string(1...35), default: "en", "The language, such as en or fr-FR."),
    sdkVersionField,
  ]

  private static let idField = Field<UserDevice>.field(
    "id", \.id, .string(0...255), "The id; the sandbox gives one if it is absent.")
  private static let pushTokenField = Field<UserDevice>.field(
    "pushToken", \.pushToken, .string(0...4096), default: "",
    "The FCM registration token; empty if the device gets no pushes.")
  private static let sdkVersionField = Field<UserDevice>.optional(
    "sdkVersion", \.sdkVersion, .string(0...100), "The version of the SDK.")

  /// Names a device that has no name by its model.
  mutating func nameByDefault() {
    if name.isEmpty { name = model.isEmpty ? "Phone" : model }
  }

  /// The platform of its pushes.
  var platform: Device.Platform { system == .android ? .android : .ios }

  /// As responses and pushes have it.
  func write(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("publicKey", publicKey)
    json.member("pushToken", pushToken)
    json.member("name", name)
    json.member("osName", system.rawValue)
    json.member("osVersion", systemVersion)
    json.member("deviceManufacturer", manufacturer)
    json.member("deviceModel", model)
    json.member("lang", language)
    json.member("type", kind.rawValue)
    if let sdkVersion { json.member("sdkVersion", sdkVersion) }
  }
}

extension FieldType where Value == String {
  /// A public key is opaque: most are 128 hex digits, some shorter. Source: contract 4.6.
  static var publicKey: FieldType {
    .text(.string(pattern: "^[0-9A-Fa-f]{32,130}$"), expected: "32 to 130 hex digits") {
      (32...130).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isHexDigit)
    }
  }

  /// The same, or empty.
  static var optionalPublicKey: FieldType {
    .text(.string(pattern: "^([0-9A-Fa-f]{32,130})?$"), expected: "32 to 130 hex digits, or none") {
      $0.isEmpty || (32...130).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isHexDigit)
    }
  }

  /// Hex digits of a fixed count.
  static func hex(_ count: Int) -> FieldType {
    .text(.string(pattern: "^[0-9A-Fa-f]{\(count)}$"), expected: "\(count) hex digits") {
      $0.utf8.count == count && $0.utf8.allSatisfy(\.isHexDigit)
    }
  }
}
