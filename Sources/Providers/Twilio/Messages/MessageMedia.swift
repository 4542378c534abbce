import ProviderKit

// The resource `…/Messages/{message}/Media`: what the URLs of a message named. Nothing is downloaded.

/// In the order of the request. The page holds all, because a message has few.
func listMedia(_ context: RequestContext) throws -> Response {
  let message = try StoredMessage.named(by: context)
  let page = try Page<Int>(of: context) { boundary, limit in
    boundary.part(of: message.mediaNumbers.map { (position: $0 + 1, record: $0) }, limit: limit)
  }
  return page.flatResponse(key: "media_list", page.records) { number, json in
    message.write(media: number, in: context.sandbox, to: &json)
  }
}

func fetchMedia(_ context: RequestContext) throws -> Response {
  let (message, number) = try mediaOfPath(context)
  return .json(200) { message.write(media: number, in: context.sandbox, to: &$0) }
}

func deleteMedia(_ context: RequestContext) throws -> Response {
  var (message, number) = try mediaOfPath(context)
  message.deletedMedia.append(number)
  try message.save(in: context.sandbox)
  return Response(204)
}

private func mediaOfPath(_ context: RequestContext) throws -> (message: StoredMessage, number: Int) {
  let (message, sid) = (try StoredMessage.named(by: context), context.request[parameter: "media"])
  let number = message.mediaNumbers.first { message.mediaSID($0, in: context.sandbox) == sid }
  guard let number else {
    throw APIError.notFound(context.request.target.path).because("no media \(sid) of message \(message.sid)")
  }
  return (message, number)
}

extension StoredMessage {
  fileprivate func write(media number: Int, in sandbox: Sandbox, to json: inout JSONWriter) {
    let sid = mediaSID(number, in: sandbox)
    json.member("account_sid", account)
    json.member("content_type", Self.contentType(of: mediaURLs[number]))
    json.member("date_created", createdAt.rfc2822)
    json.member("date_updated", createdAt.rfc2822)
    json.member("parent_sid", self.sid)
    json.member("sid", sid)
    json.member("uri", "\(path)/Media/\(sid).json")
  }

  /// As the end of the URL's path says; the provider asks the server.
  private static func contentType(of url: String) -> String {
    let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
    let types = [".png": "image/png", ".gif": "image/gif", ".pdf": "application/pdf", ".mp4": "video/mp4"]
    return types.first { path.hasSuffix($0.key) }?.value ?? "image/jpeg"
  }
}
