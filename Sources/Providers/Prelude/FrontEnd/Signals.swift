import ProviderKit

// The resource `/v1/signals` of the edge. Source: contract 13.

/// `POST`: the signals of a device.
func dispatchSignals(_ request: Request, in sandbox: Sandbox) throws -> Response {
  try receive(request, in: sandbox)
}

/// `OPTIONS`: a browser's preflight, or a request that shows the device's cellular address.
func announceSignals(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let isPreflight = request.isPreflight && request.headers["X-SDK-DispatchID"] == nil
  return isPreflight ? preflightResponse(to: request) : try receive(request, in: sandbox)
}

/// SDKs accept any 2xx, and read until the connection ends.
private func receive(_ request: Request, in sandbox: Sandbox) throws -> Response {
  do {
    try store(request, in: sandbox)
  } catch let error as APIError {
    throw error.stamped(at: sandbox.clock.now, requestID: RequestContext.newID(in: sandbox)).closingConnection
  }
  var response = Response(204)
  response.closesConnection = true
  return response
}

private func store(_ request: Request, in sandbox: Sandbox) throws {
  let agent = request.headers["User-Agent"].flatMap { SDKAgent($0) }
  let key = try requireSDKKey(of: request, agent, in: sandbox)
  guard let id = request.headers["X-SDK-DispatchID"], UUIDText.isValid(id) else {
    throw APIError.invalid("X-SDK-DispatchID", expected: "a UUID of 36 characters")
  }
  var dispatch = try SignalsDispatch.find(id, in: sandbox) ?? SignalsDispatch(id: id.lowercased())
  dispatch.agent = agent ?? dispatch.agent
  dispatch.keySuffix = String(key.suffix(4))
  dispatch.features |= request.headers["X-SDK-Implemented-Features"].flatMap { Int($0) } ?? 0
  if dispatch.hasRoom {
    dispatch.requests.append(
      SignalsDispatch.ReceivedRequest(
        method: request.method.rawValue, source: request.peer, at: sandbox.clock.now,
        payload: request.body))
  }
  try dispatch.save(in: sandbox)
}

private func requireSDKKey(of request: Request, _ agent: SDKAgent?, in sandbox: Sandbox) throws -> String {
  let key = request.headers["X-SDK-Key"] ?? ""
  guard !key.isEmpty else {
    throw APIError(.missingAPIKey, "the header X-SDK-Key is missing", param: "X-SDK-Key")
  }
  guard key.hasPrefix(APIKeyKind.sdkKey.prefix), try Authentication.accepts(key, as: .sdkKey, in: sandbox)
  else {
    throw APIError(.invalidAPIKey, "the SDK key is not known", param: "X-SDK-Key")
  }
  let allowed = try Settings.current(in: sandbox).sdkKeyPlatform
  if allowed != .any, let platform = agent?.keyPlatform, platform.rawValue != allowed.rawValue {
    throw APIError(.forbidden, "the SDK key is for \(allowed.rawValue)", param: "X-SDK-Key")
  }
  return key
}

/// Source: contract 13.4.
private func preflightResponse(to request: Request) -> Response {
  let defaultHeaders =
    "content-encoding, content-type, x-sdk-dispatchid, x-sdk-key, x-sdk-request-date, user-agent"
  var response = Response(
    204,
    headers: [
      "Access-Control-Allow-Methods": "POST, OPTIONS",
      "Access-Control-Allow-Headers": request.headers["Access-Control-Request-Headers"] ?? defaultHeaders,
      "Access-Control-Max-Age": "600",
    ])
  response.closesConnection = true
  return response
}
