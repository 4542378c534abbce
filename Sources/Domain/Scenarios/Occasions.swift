import Database

/// How often a subscriber's own scenario has had its occasion, where it acts only on some.
struct Occasions {
  let sandbox: Sandbox

  /// Counts one more; says how many there were before.
  func count(one number: PhoneNumber, _ position: Int) throws -> Int {
    let count = try sandbox.database.first(
      """
      INSERT INTO occasions (sandbox, number, position, hits) VALUES (?, ?, ?, 1)
      ON CONFLICT (sandbox, number, position) DO UPDATE SET hits = hits + 1 RETURNING hits
      """, sandbox.id, number.description, position
    ) { $0.int(0) }
    return (count ?? 1) - 1
  }

  /// Begins to count anew: the number's scenarios are others.
  func forget(_ number: PhoneNumber) throws {
    try sandbox.database.run(
      "DELETE FROM occasions WHERE sandbox = ? AND number = ?", sandbox.id, number.description)
  }
}
