import Foundation

extension Ringfence {
  /// A receiver of webhooks, for apps without one and for tests of what the provider sends.
  public struct Webhooks: Sendable {
    public enum Signature: String, Sendable { case valid, wrong, missing }

    public struct Received: Sendable {
      public let method: String
      public let url: String
      /// The names are in lower case.
      public let headers: [String: String]
      /// The exact text of the body.
      public let body: String
      /// Who has signed it.
      public let provider: String?
      public let signature: Signature
      /// The members of the body; null if it is neither a form nor JSON.
      public let data: JSON
    }

    let sandbox: Sandbox

    /// Where to send webhooks: the callback URL of requests and settings.
    public var url: String { sandbox.inbox.url }

    /// All that came, oldest first.
    public var received: [Received] {
      get async throws {
        var checked: [Received] = []
        for request in await sandbox.inbox.received { checked.append(try await check(request)) }
        return checked
      }
    }

    /// The statuses of the next answers; the last one repeats.
    public func answer(_ statuses: Int...) async { await sandbox.inbox.answer(statuses) }

    /// The next webhook that was not returned yet, of this provider and with this text in its body. Waits for
    /// it, up to `within` seconds. Another signature than the expected one is refused; nil expects none in
    /// particular.
    public func wait(
      provider: String? = nil, contains: String? = nil, signature: Signature? = .valid, within: Double = 5
    ) async throws -> Received {
      let found = await sandbox.inbox.next(within: within) { request in
        let signer = Signer.of(request)?.rawValue
        let isIncluded = contains.map { String(decoding: request.body, as: UTF8.self).contains($0) } ?? true
        return isIncluded && (provider == nil || signer == nil || signer == provider)
      }
      guard let found else {
        throw try await Explanation(sandbox: sandbox).error(
          "no webhook came to \(url) within \(plain(within)) s")
      }
      let received = try await check(found)
      guard let signature, received.signature != signature else { return received }
      let from = received.provider.map { " of \($0)" } ?? ""
      throw RingfenceError(
        "the signature\(from) is \(received.signature), not \(signature): \(received.body.prefix(200))")
    }

    /// Forgets what came.
    public func clear() async { await sandbox.inbox.clear() }

    private func check(_ request: ReceivedRequest) async throws -> Received {
      let signer = Signer.of(request)
      // Asked for only if it is needed.
      let key = signer == .prelude ? try await sandbox.control.get("/control/webhooks/keys").string : nil
      let isValid = signer?.hasSigned(request, credentials: sandbox.credentials, publicKey: key ?? "")
      return Received(
        method: request.method, url: request.url, headers: request.headers,
        body: String(decoding: request.body, as: UTF8.self), provider: signer?.rawValue,
        signature: isValid.map { $0 ? .valid : .wrong } ?? .missing, data: request.data)
    }
  }
}

extension ReceivedRequest {
  var isForm: Bool { headers["content-type"]?.hasPrefix("application/x-www-form-urlencoded") == true }

  var form: [(name: String, value: String)] { pairs(of: String(decoding: body, as: UTF8.self)) }

  /// The members of a form or of JSON; null of anything else.
  var data: JSON {
    guard isForm else { return (try? JSONDecoder().decode(JSON.self, from: body)) ?? .null }
    return .object(Dictionary(form.map { ($0.name, .string($0.value)) }) { _, last in last })
  }
}

/// The members of a form or query, decoded.
func pairs(of text: String) -> [(name: String, value: String)] {
  text.split(separator: "&").map { pair in
    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
      $0.replacing("+", with: " ").removingPercentEncoding ?? String($0)
    }
    return (parts[0], parts.count > 1 ? parts[1] : "")
  }
}

/// The webhooks of one sandbox.
actor Inbox {
  private struct Waiting {
    let matches: @Sendable (ReceivedRequest) -> Bool
    let continuation: CheckedContinuation<ReceivedRequest?, Never>
  }

  nonisolated let url: String
  private(set) var received: [ReceivedRequest] = []
  /// Those that no `next` has returned.
  private var new: [ReceivedRequest] = []
  private var statuses = [200]
  private var waiting: [Int: Waiting] = [:]
  private var count = 0

  init(_ url: String) { self.url = url }

  func answer(_ statuses: [Int]) { self.statuses = statuses.isEmpty ? [200] : statuses }

  func clear() { (received, new, statuses) = ([], [], [200]) }

  /// Returns the status of the answer.
  func receive(_ request: ReceivedRequest) -> Int {
    received.append(request)
    if let (id, first) = waiting.filter({ $0.value.matches(request) }).min(by: { $0.key < $1.key }) {
      waiting[id] = nil
      first.continuation.resume(returning: request)
    } else {
      new.append(request)
    }
    return statuses.count > 1 ? statuses.removeFirst() : statuses[0]
  }

  func next(
    within seconds: Double, _ matches: @escaping @Sendable (ReceivedRequest) -> Bool
  ) async -> ReceivedRequest? {
    if let place = new.firstIndex(where: matches) { return new.remove(at: place) }
    guard seconds > 0 else { return nil }
    count += 1
    let id = count
    let deadline = Task {
      try? await Task.sleep(for: .seconds(seconds))
      self.end(id)
    }
    defer { deadline.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiting[id] = Waiting(matches: matches, continuation: $0) }
    } onCancel: {
      deadline.cancel()
    }
  }

  private func end(_ id: Int) { waiting.removeValue(forKey: id)?.continuation.resume(returning: nil) }
}
