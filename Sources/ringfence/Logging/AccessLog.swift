import Control
import Loop

/// `serve --access-log`: a line for each answer.
///
/// A class because the server calls it back.
final class AccessLog {
  enum Format: String, CaseIterable {
    /// That of Apache and nginx.
    case combined
    case json
  }

  /// One line.
  struct Entry {
    var time: Timestamp
    /// With the client's address behind a proxy; nil if not even the path is known.
    var request: Request?
    /// The address at the other end of the connection.
    var peer: String
    /// `HTTP/1.1`
    var version: String
    var status: Status
    /// Nil for a body that is sent in pieces.
    var bytes: Int?
    var duration: Duration
  }

  private let format: Format
  private let writer: LineWriter

  init(_ format: Format, to writer: LineWriter) { (self.format, self.writer) = (format, writer) }

  func add(_ entry: Entry) {
    switch format {
    case .combined: writer.append(Array(entry.combined.utf8))
    case .json: writer.append(entry.json.printableJSON + [UInt8(ascii: "\n")])
    }
  }
}

extension AccessLog.Entry {
  private var client: String { request?.peer ?? peer }

  /// Without a port.
  private var clientHost: String { HTTP.Authority(client)?.host ?? client }

  private var target: String? {
    request.map { $0.inputs.handling?.target ?? Masking.common.target($0.prefix + $0.target.text) }
  }

  private func field(_ name: StaticString) -> String? { request?.headers[name] }

  /// Queries of other pages may have secrets of any name.
  private var referrer: String? { field("Referer").map { String($0.prefix { $0 != "?" && $0 != "#" }) } }

  /// With a line break.
  var combined: String {
    let line = request.map { "\($0.method.rawValue) \(target ?? "-") \(version)" } ?? "-"
    let size = bytes.map(String.init) ?? "-"
    return """
      \(clientHost) - - [\(time.commonLogTime)] "\(line.quotable)" \(status.code) \(size) \
      "\((referrer ?? "-").quotable)" "\((field("User-Agent") ?? "-").quotable)"

      """
  }

  var json: [UInt8] {
    JSONWriter.object { json in
      json.member("time", time.iso8601Milliseconds)
      json.member("client", clientHost)
      json.member("method", request?.method.rawValue)
      json.member("host", request?.host)
      json.member("target", target)
      json.member("protocol", version)
      json.member("status", status.code)
      json.member("bytes", bytes)
      json.member("milliseconds", Int(duration.milliseconds))
      json.member("referrer", referrer)
      json.member("userAgent", field("User-Agent"))
      json.member("traceparent", field("traceparent"))
      json.member("sandbox", request?.inputs.handling?.sandbox)
      json.member("provider", request?.inputs.handling?.owner)
      json.member("route", request?.inputs.handling?.route)
    }
  }
}

extension String {
  /// As in nginx: quotes, backslashes and what cannot be printed become `\xHH`.
  fileprivate var quotable: String {
    var shown = ""
    for byte in utf8 {
      if 0x20...0x7E ~= byte, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        shown.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        shown += Unicode.Scalar(byte).hexEscape
      }
    }
    return shown
  }
}

extension Timestamp {
  /// `05/Jan/2026:10:20:30 +0000`
  fileprivate var commonLogTime: String {
    // Mon, 05 Jan 2026 10:20:30 GMT
    let parts = httpDate.split(separator: " ")
    guard parts.count == 6 else { return httpDate }
    return "\(parts[1])/\(parts[2])/\(parts[3]):\(parts[4]) +0000"
  }
}
