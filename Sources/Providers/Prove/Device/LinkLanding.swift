import ProviderKit

/// `GET /handset/prove/link/{token}`: a person opens a link. Source: contract 6.2.
func openLink(_ request: Request, in sandbox: Sandbox) throws -> Response {
  guard let session = try Session.find(linkToken: request[parameter: "token"], in: sandbox) else {
    return expiredLink(because: "no session has this link; a newer one replaces the earlier ones")
  }
  var possession = try Possession(session, Settings.current(in: sandbox), in: sandbox)
  switch try possession.openLink() {
  case .redirect(let url): return Response(302, headers: ["Location": url, "Cache-Control": "no-store"])
  case .expired: return expiredLink(because: "the link of session \(session.correlationID) has expired")
  }
}

private func expiredLink(because why: String) -> Response {
  let page = """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Link expired</title>
    </head>
    <body>
    <h1>This link has expired</h1>
    <p>Go back to the app, and ask for a new one.</p>
    </body>
    </html>

    """
  var response = Response(
    410, headers: ["Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"],
    body: Array(page.utf8))
  response.why = why
  return response
}
