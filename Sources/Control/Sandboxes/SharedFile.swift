import Compression
import Crypto
package import Snapshots

/// A file about one verification for other people: a page that needs no script, with a part of the sandbox
/// from which another server makes a new sandbox.
package struct SharedFile {
  package let part: SharedPart
  /// The page. `state`: what `pack` returns; nil if that would make it too large.
  package let document: (_ state: String?) -> [UInt8]

  package init(_ part: SharedPart, document: @escaping (_ state: String?) -> [UInt8]) {
    (self.part, self.document) = (part, document)
  }

  /// Mail servers and trackers of bugs take files of this size. Source: issue 50, D 3.
  package static let sizeLimit = 500_000
  /// Of the packed state, so that the page has room beside it.
  private static let stateLimit = 220_000
  /// Of the unpacked one. It is packed at once, which takes a fiftieth of a second for so much.
  private static let plainLimit = 3 << 19

  /// The element with the packed state, which pages do not show.
  package static let elementID = "ringfence-state"
  private static let start = Array(#"<template id="\#(elementID)">"#.utf8)
  private static let end = Array("</template>".utf8)

  /// The state as text; nil if it is too large.
  static func pack(_ snapshot: [UInt8]) -> String? {
    guard snapshot.count <= plainLimit, let stream = GzipStream() else { return nil }
    let text = Base64.encode(stream.compress(snapshot, isLast: true))
    return text.utf8.count <= stateLimit ? text : nil
  }

  /// The state in a file. Throws for any other text, and for what could fill the memory.
  static func unpack(_ file: [UInt8]) throws(FieldError) -> [UInt8] {
    guard file.count <= sizeLimit else {
      throw error("a file of at most \(sizeLimit) bytes", "\(file.count) bytes")
    }
    guard let opening = ByteSearch(for: start).place(in: file, from: 0),
      let closing = ByteSearch(for: end).place(in: file, from: opening.upperBound)
    else { throw error("a file from Share this failure, with a state in it", "another one") }
    let text = String(decoding: file[opening.upperBound..<closing.lowerBound], as: UTF8.self)
    guard let packed = Base64.decode(text) else { throw error("a state in Base64", "another text") }
    do {
      return try Gunzip.decompress(packed, limit: plainLimit)
    } catch {
      switch error {
      case .broken: throw self.error("a whole state", "a damaged one")
      case .tooLarge: throw self.error("a state of at most \(plainLimit) bytes", "a larger one")
      }
    }
  }

  private static func error(_ expected: String, _ found: String) -> FieldError {
    FieldError(path: "file", expected: expected, found: found)
  }
}

extension ControlAPI {
  /// A file for other people, as a download.
  func shareVerification(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let id = request[parameter: "destination"]
    guard let ordinal = Int(id), let file = try share(request, sandbox, ordinal) else {
      throw ControlProblem.notFound("verification \(id)")
    }
    var part = file.part
    part.hasSecretSeed = tokens != nil
    let (job, writer) = try sandboxes.startSnapshot(of: sandbox, part)
    return reply(after: job) {
      var document = file.document(SharedFile.pack(writer.bytes))
      if document.count > SharedFile.sizeLimit { document = file.document(nil) }
      return Response(
        200,
        headers: [
          "Content-Type": "text/html; charset=utf-8", "X-Content-Type-Options": "nosniff",
          "Content-Disposition": #"attachment; filename="verification-\#(ordinal).html""#,
        ], body: document)
    }
  }

  /// Makes a new sandbox from the state in such a file.
  func openSharedFile(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let snapshot = try SharedFile.unpack(request.body)
    try requireRoom()
    let name = try name(onShard: "shared-" + sandbox.requestIdentifier("name").prefix(12))
    guard let build = try sandboxes.buildRestored(snapshot, as: name, isShared: true) else {
      throw ControlProblem(409, "sandbox \(name) is being made; try again")
    }
    return reply(after: sandboxes.start(build)) {
      let restored = build.sandbox
      var view = try view(of: restored, request)
      view.token = tokens?.token(for: restored)
      var response = SandboxView.schema.response(view, status: 201)
      let shown = try restored.verifications.newest(1).first.map { "console/verifications/\($0.ordinal)" }
      response.headers.add("Location", "/s/\(name)/\(shown ?? "")")
      return response
    }
  }
}
