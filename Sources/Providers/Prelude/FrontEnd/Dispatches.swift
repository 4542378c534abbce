import Domain
import HTTP
import ProviderKit

// The resource `/v1/signals` of the edge. Source: contract 13.

/// `POST`: what a device tells of itself.
func dispatchSignals(_ request: Request, in sandbox: Sandbox) throws -> Response {
  try recording(request, in: sandbox)
}

/// `OPTIONS`: a browser's preflight, or a device's beacon over the cellular interface.
func announceSignals(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let isPreflight =
    request.headers["Origin"] != nil && request.headers["Access-Control-Request-Method"] != nil
    && request.headers["X-SDK-DispatchID"] == nil
  return isPreflight ? preflight(request) : try recording(request, in: sandbox)
}

/// Any 2xx is success and nobody reads a body; a raw socket waits until the connection ends.
private func recording(_ request: Request, in sandbox: Sandbox) throws -> Response {
  do {
    try record(request, in: sandbox)
  } catch let problem as Problem {
    throw problem.signed(requestIdentifier(in: sandbox)).with("Access-Control-Allow-Origin", "*")
      .ending
  }
  var response = Response(204, headers: ["Access-Control-Allow-Origin": "*"])
  response.closesConnection = true
  return response
}

private func record(_ request: Request, in sandbox: Sandbox) throws {
  let key = request.headers["X-SDK-Key"] ?? ""
  guard !key.isEmpty else {
    throw Problem(.missingAPIKey, "the header X-SDK-Key is missing", param: "X-SDK-Key")
  }
  guard key.hasPrefix("sdk_"), try admits(key, as: .sdkKey, in: sandbox) else {
    throw Problem(.invalidAPIKey, "the SDK key is not known", param: "X-SDK-Key")
  }
  let agent = request.headers["User-Agent"].flatMap { SDKAgent($0) }
  let allowed = try Settings.current(in: sandbox).sdkKeyPlatform
  guard allowed == "any" || agent?.keyPlatform == nil || agent?.keyPlatform?.rawValue == allowed else {
    throw Problem(.forbidden, "the SDK key is for \(allowed)", param: "X-SDK-Key")
  }
  guard let id = request.headers["X-SDK-DispatchID"], isUUID(id) else {
    throw Problem.invalid("X-SDK-DispatchID", expected: "a UUID of 36 characters")
  }
  var dispatch = try Dispatch.find(id, in: sandbox) ?? Dispatch(id: id.lowercased())
  dispatch.agent = agent ?? dispatch.agent
  dispatch.keyEnd = String(key.suffix(4))
  dispatch.features |= request.headers["X-SDK-Implemented-Features"].flatMap { Int($0) } ?? 0
  if dispatch.arrivals.count < Dispatch.arrivalLimit {
    dispatch.arrivals.append(
      Dispatch.Arrival(
        method: request.method.rawValue, source: request.peer, at: sandbox.clock.now,
        payload: request.body))
  }
  try dispatch.keep(in: sandbox)
}

/// What a browser asks before it sends. Source: contract 13.4.
private func preflight(_ request: Request) -> Response {
  let usual = "content-encoding, content-type, x-sdk-dispatchid, x-sdk-key, x-sdk-request-date, user-agent"
  var response = Response(
    204,
    headers: [
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": "POST, OPTIONS",
      "Access-Control-Allow-Headers": request.headers["Access-Control-Request-Headers"] ?? usual,
      "Access-Control-Max-Age": "600",
    ])
  response.closesConnection = true
  return response
}

/// Whether a text is a UUID; any version and letter case will do. Source: contract 18.
private func isUUID(_ text: String) -> Bool {
  let parts = text.split(separator: "-", omittingEmptySubsequences: false)
  return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
    && parts.allSatisfy { $0.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit } }
}
