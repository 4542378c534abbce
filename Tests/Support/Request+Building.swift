import Foundation
package import HTTP

/// Requests for tests: every argument except the path has a default.
extension Request {
  /// A request to `http://127.0.0.1:5550`.
  package static func to(
    _ path: String, _ method: HTTP.Method = .get, headers: Headers = [:], body: [UInt8] = []
  ) -> Request {
    var all: Headers = ["Host": "127.0.0.1:5550"]
    all.append(headers)
    return Request(method, Target(path), headers: all, body: body)
  }

  /// A `POST` of a form.
  package static func post(
    _ path: String, form: KeyValuePairs<String, String>, headers: Headers = [:]
  ) -> Request {
    var all = headers
    all.add("Content-Type", "application/x-www-form-urlencoded")
    return to(path, .post, headers: all, body: encoded(form))
  }

  /// A request with a JSON body.
  package static func json(_ method: HTTP.Method, _ path: String, _ body: String) -> Request {
    to(path, method, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }

  /// Fields of `Authorization: Basic`.
  package static func basic(_ name: String, _ password: String) -> Headers {
    ["Authorization": "Basic " + Data("\(name):\(password)".utf8).base64EncodedString()]
  }

  private static func encoded(_ form: KeyValuePairs<String, String>) -> [UInt8] {
    let pairs = form.map { "\(PercentCoding.encode($0.key))=\(PercentCoding.encode($0.value))" }
    return Array(pairs.joined(separator: "&").utf8)
  }
}
