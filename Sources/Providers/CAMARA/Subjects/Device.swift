import ProviderKit

/// The member `device`: how a request names a device. Source: contract 4.
struct Device: Equatable {
  enum Identifier: Equatable {
    case phoneNumber(String)
    case ipv4Address(public: String, private: String?, port: Int?)
    /// As in the request.
    case ipv6Address(String)

    func write(to json: inout JSONWriter) {
      switch self {
      case .phoneNumber(let number): json.member("phoneNumber", number)
      case .ipv6Address(let address): json.member("ipv6Address", address)
      case .ipv4Address(let publicAddress, let privateAddress, let port):
        json.object("ipv4Address") { json in
          json.member("publicAddress", publicAddress)
          if let privateAddress { json.member("privateAddress", privateAddress) }
          if let port { json.member("publicPort", port) }
        }
      }
    }
  }

  /// In the order in which the operator tries them.
  private(set) var identifiers: [Identifier] = []

  init(_ fields: Fields) throws {
    if let number = try fields.optionalPhoneNumber() { identifiers.append(.phoneNumber(number)) }
    if let address = try fields.optionalObject("ipv4Address") {
      identifiers.append(try Self.ipv4(address))
    } else {
      try fields.requireAbsent("ipv4Address", expected: "an object")
    }
    if let address = try fields.optionalString("ipv6Address") {
      guard IPAddress(address)?.bytes.count == 16 else {
        throw fields.mismatch("ipv6Address", expected: "an IPv6 address")
      }
      identifiers.append(.ipv6Address(address))
    } else {
      try fields.requireAbsent("ipv6Address", expected: "an IPv6 address")
    }
    let name = try fields.optionalString("networkAccessIdentifier")
    if name == nil { try fields.requireAbsent("networkAccessIdentifier", expected: "a string") }
    guard !identifiers.isEmpty || name != nil else {
      throw APIError.invalid(fields.path, expected: "at least one identifier such as phoneNumber")
    }
  }

  private static func ipv4(_ fields: Fields) throws -> Identifier {
    let isAddress: (String) -> Bool = { IPAddress($0)?.bytes.count == 4 && !$0.contains(":") }
    let expected = "an IPv4 address"
    guard
      let publicAddress = try fields.optionalText("publicAddress", expected: expected, where: isAddress)
    else { throw fields.mismatch("publicAddress", expected: expected) }
    let privateAddress = try fields.optionalText("privateAddress", expected: expected, where: isAddress)
    if privateAddress == nil { try fields.requireAbsent("privateAddress", expected: expected) }
    let port = try fields.optionalInteger("publicPort", in: 0...65_535)
    guard privateAddress != nil || port != nil else {
      throw APIError.invalid(fields.path, expected: "privateAddress or publicPort beside publicAddress")
    }
    return .ipv4Address(public: publicAddress, private: privateAddress, port: port)
  }

  /// The subscribers whose data session has this public address. Ports are those of a translation, which IPv6
  /// does not need.
  static func holders(
    of address: IPAddress, port: Int? = nil, privateAddress: String? = nil, in sandbox: Sandbox
  ) throws -> [Subscriber] {
    let text = address.description.filter { $0 != "[" && $0 != "]" }
    return address.bytes.count == 4
      ? try sandbox.subscribers.holders(ofPublicAddress: text, port: port, privateAddress: privateAddress)
      : try sandbox.subscribers.holders(ofIPv6Address: text)
  }
}

/// The device that a request is about.
struct Target {
  let subscriber: Subscriber
  /// The identifier by which the request has named it; nil if the token did.
  let identifier: Device.Identifier?

  /// An answer repeats the one identifier that was used. Source: contract 4.
  func writeDevice(to json: inout JSONWriter) {
    guard let identifier else { return }
    json.object("device") { identifier.write(to: &$0) }
  }
}

extension Target {
  /// The device of a body: the member `device`, or that of the token.
  init(of body: Fields, _ context: RequestContext) throws {
    let device = try body.optionalObject("device").map { try Device($0) }
    guard let device else {
      try body.requireAbsent("device", expected: "an object")
      self.init(subscriber: try Subject.subscriber(numbered: nil, context), identifier: nil)
      return
    }
    guard context.token.number == nil || context.token.isLenient else {
      throw APIError(.unnecessaryIdentifier).because("both the token and the body name a device")
    }
    guard let identifier = device.identifiers.first(where: context.settings.supports) else {
      let known = context.settings.supportedDeviceIdentifiers.map(\.rawValue).joined(separator: ", ")
      throw APIError(.unsupportedIdentifier).because("supported: \(known)")
    }
    self.init(subscriber: try Self.holder(of: identifier, context), identifier: identifier)
  }

  private static func holder(
    of identifier: Device.Identifier, _ context: RequestContext
  ) throws -> Subscriber {
    let (text, privateAddress, port): (String, String?, Int?)
    switch identifier {
    case .phoneNumber(let number): return try Subject.subscriber(numbered: number, context)
    case .ipv4Address(let address, let inner, let outerPort):
      (text, privateAddress, port) = (address, inner, outerPort)
    case .ipv6Address(let address): (text, privateAddress, port) = (address, nil, nil)
    }
    let holders =
      try IPAddress(text).map {
        try Device.holders(of: $0, port: port, privateAddress: privateAddress, in: context.sandbox)
      } ?? []
    guard let holder = holders.first, holders.count == 1 else {
      throw APIError(.identifierNotFound).because("\(holders.count) data sessions have this address")
    }
    return try Subject.subscriber(numbered: holder.number.description, context)
  }
}
