import Database

/// The number of the last change of the pushes to each token. A request that waits for pushes to one token
/// compares it instead of reading rows after every change in the sandbox.
struct PushSignals {
  /// Beyond it, every waiting request reads its rows once, and counting starts again.
  private static let maxTokens = 10_000

  private var last: [String: Int] = [:]
  /// For the tokens that are not in `last`.
  private var floor = 0
  private var count = 0

  /// A number that changes with the pushes to a token. A rollback does not take a change back.
  func value(of token: String) -> Int { last[token] ?? floor }

  mutating func change(_ tokens: [String]) {
    count &+= 1
    if last.count >= Self.maxTokens {
      last.removeAll()
      floor = count
    }
    for token in tokens { last[token] = count }
  }
}

extension Pushes {
  /// A number that changes when a push to a token is sent or arrives. A device has up to two tokens.
  package func changes(of token: String) -> Int { sandbox.pushSignals.value(of: token) }

  func signal(_ push: Push) throws {
    let device = try sandbox.devices.find(ordinal: push.device)
    sandbox.pushSignals.change(
      [push.token, device?.draft.pushToken, device?.draft.apnsToken].compactMap(\.self))
  }

  /// The oldest pushes after an ordinal to a token, or to the device that has it.
  package func page(token: String, device: Int?, after ordinal: Int, limit: Int) throws -> [Push] {
    try sandbox.database.all(
      Push.self,
      """
      WHERE sandbox = ?1 AND ordinal IN (
        SELECT * FROM (SELECT ordinal FROM pushes INDEXED BY pushes_by_token
        WHERE sandbox = ?1 AND token = ?2 AND ordinal > ?4 ORDER BY ordinal LIMIT ?5)
        UNION SELECT * FROM (SELECT ordinal FROM pushes INDEXED BY pushes_by_device
        WHERE sandbox = ?1 AND device = ?3 AND ordinal > ?4 ORDER BY ordinal LIMIT ?5))
      ORDER BY ordinal LIMIT ?5
      """, sandbox.id, token, device, ordinal, limit)
  }
}
