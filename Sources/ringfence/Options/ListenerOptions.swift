import ArgumentParser
import Loop

extension Wiring.Listening {
  /// The addresses of the options. HTTPS and the gateway have the ports after that of HTTP by default.
  init(_ options: Configuration) throws(ValidationError) {
    let port = try Self.address("port", in: options)
    let named = try Self.address("http", in: options)
    let http = port ?? named ?? DefaultAddresses.listening
    self.init(
      http: http, https: try Self.optionalAddress("https", in: options, else: 1, portsAfter: http),
      gateway: try Self.optionalAddress("gateway", in: options, else: 2, portsAfter: http))
  }

  /// Nil for `off`.
  private static func optionalAddress(
    _ option: String, in options: Configuration, else distance: UInt16, portsAfter http: SocketAddress
  ) throws(ValidationError) -> SocketAddress? {
    if options.text(option) == "off" { return nil }
    if let address = try address(option, in: options) { return address }
    guard http.port <= UInt16.max - distance else {
      throw ValidationError(
        "\(options.source(of: "http")): no port is left for --\(option) after \(http.port); "
          + "set --\(option) to an address, or to off")
    }
    return SocketAddress(
      host: DefaultAddresses.listening.host, port: http.port == 0 ? 0 : http.port + distance)
  }

  /// `ADDRESS:PORT`, with an IPv6 address in brackets, or `:PORT` of this machine. Nil if the option is not
  /// set.
  private static func address(
    _ option: String, in options: Configuration
  ) throws(ValidationError) -> SocketAddress? {
    guard var text = options.text(option) else { return nil }
    if option == "port" {
      guard options.text("http") == nil, UInt16(text) != nil else {
        throw ValidationError(
          "\(options.source(of: option)): expected a port from 0 to 65535, and no --http; found \(text)")
      }
      text = ":\(text)"
    }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
      let address = address(colon == text.startIndex ? "localhost" : text[..<colon], port: port)
    else {
      throw ValidationError(
        """
        \(options.source(of: option)): expected ADDRESS:PORT such as 127.0.0.1:5550, [::1]:5550 or :5550, with a port from 0 to \
        65535; found \(text)
        """)
    }
    return address
  }

  /// Nil unless the host is a literal address or `localhost`.
  private static func address(_ host: Substring, port: UInt16) -> SocketAddress? {
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    let name = isBracketed ? String(host.dropFirst().dropLast()) : String(host)
    let address = SocketAddress(host: name == "localhost" ? "127.0.0.1" : name, port: port)
    return address.isLiteral && address.isIPv6 == isBracketed ? address : nil
  }
}

/// A listener that cannot be opened, with the option that moves it.
struct ListenerFailure: Error, CustomStringConvertible {
  let description: String

  private init(_ error: LoopError, of option: String, on address: SocketAddress) {
    let holder = error.name == "EADDRINUSE" ? PortOwner.find(address.port).map { ": \($0) has it" } ?? "" : ""
    let off = option == "http" ? "" : ", or off"
    description =
      "--\(option): \(error.doing) failed: \(error.reason)\(holder). Use another address: "
      + "--\(option) \(SocketAddress(host: address.host, port: 0))\(off); port 0 picks a free one"
  }

  /// Opens a listener; an error names its option.
  static func naming<Listener>(
    _ option: String, _ address: SocketAddress, _ open: (SocketAddress) throws(LoopError) -> Listener
  ) throws(ListenerFailure) -> Listener {
    do throws(LoopError) {
      return try open(address)
    } catch {
      throw ListenerFailure(error, of: option, on: address)
    }
  }
}
