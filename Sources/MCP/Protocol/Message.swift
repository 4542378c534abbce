package import JSON

/// A message of JSON-RPC 2.0.
enum Message {
  case request(id: JSON, method: String, params: Fields)
  case notification(method: String)
  /// The client's answer to a request. The server sends none.
  case response
  /// `id` is null if the message has none that can be read.
  case invalid(id: JSON, RPCError)

  init(_ json: JSON) {
    let id = Self.id(of: json)
    do throws(RPCError) {
      self = try Self.parse(json, id: id)
    } catch {
      self = .invalid(id: id ?? .null, error)
    }
  }

  /// Nil for a message without an id, or with one that is neither a text nor an integer.
  private static func id(of json: JSON) -> JSON? {
    switch json["id"] {
    case .string, .integer: json["id"]
    default: nil
    }
  }

  private static func parse(_ json: JSON, id: JSON?) throws(RPCError) -> Message {
    guard case .object = json else { throw .invalidRequest("a message: expected an object") }
    guard json["jsonrpc"] == .string("2.0") else { throw .invalidRequest(#"jsonrpc: expected "2.0""#) }
    guard json["id"] == nil || id != nil else {
      throw .invalidRequest("id: expected a string or an integer")
    }
    guard let method = json["method"] else {
      guard id != nil, json["result"] != nil || json["error"] != nil else {
        throw .invalidRequest("method: missing; expected a string")
      }
      return .response
    }
    guard case .string(let method) = method else { throw .invalidRequest("method: expected a string") }
    guard let id else { return .notification(method: method) }
    return try RPCError.reading { () throws(FieldError) in
      .request(id: id, method: method, params: try Fields(json["params"] ?? .object([]), path: "params"))
    }
  }
}

/// An error of JSON-RPC 2.0.
package struct RPCError: Error {
  /// Source: the JSON-RPC 2.0 specification, 5.1; MCP 2025-06-18, server/resources.
  package enum Code: Int {
    case parseError = -32_700
    case invalidRequest = -32_600
    case methodNotFound = -32_601
    case invalidParams = -32_602
    case internalError = -32_603
    case resourceNotFound = -32_002
  }

  let code: Code
  let message: String
  let data: JSON?

  package init(_ code: Code, _ message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  static func invalidRequest(_ message: String) -> RPCError { RPCError(.invalidRequest, message) }

  /// Reads the parameters of a request. Mistakes in them are errors of the request.
  static func reading<Value>(_ read: () throws(FieldError) -> Value) throws(RPCError) -> Value {
    do throws(FieldError) {
      return try read()
    } catch {
      throw RPCError(.invalidParams, error.description)
    }
  }

  /// The answer to the request with this id; `.null` where it is not known.
  package func encoded(id: JSON) -> [UInt8] {
    JSONWriter.object { json in
      json.member("jsonrpc", "2.0")
      json.member("id", id)
      json.member("error", encoded: object)
    }
  }

  /// The member `error` of an answer.
  var object: [UInt8] {
    JSONWriter.object { json in
      json.member("code", code.rawValue)
      json.member("message", message)
      if let data { json.member("data", data) }
    }
  }
}

/// The bounds of what a client may send.
package enum MessageLimits {
  /// Bytes of a message or a batch: of a body over HTTP, of a line over stdio.
  package static let bytes = 1 << 20
  static let batch = 50
  static let json = JSON.Limits(depth: 32, values: 20_000)
}
