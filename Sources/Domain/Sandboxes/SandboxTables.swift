package import Database

extension Database {
  /// The tables with rows of sandboxes, without the column that names the sandbox. Those that others refer to
  /// come first. Found in the database, so new tables need no code here.
  package func sandboxTables() throws -> [Table] {
    try tables().filter { $0.columns.contains { $0.name == "sandbox" } }.map { $0.without("sandbox") }
  }
}
