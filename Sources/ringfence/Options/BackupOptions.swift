import ArgumentParser
import Domain

/// The options of `serve` about copies of the data folder.
struct BackupOptions: ParsableArguments {
  @Option(
    help: """
      Copy the folder of --data into this folder again and again, while something changes. Restore a copy with `ringfence \
      restore`.
      """)
  var backup: String?
  @Option(help: "The time between two copies, such as 30s or 1h. Default 15m.")
  var backupInterval: String?
  @Option(help: "How many copies to keep. Default 96.")
  var backupKeep: String?

  /// The command line's values by option name.
  var flags: [String: String?] {
    ["backup": backup, "backup-interval": backupInterval, "backup-keep": backupKeep]
  }
}

extension Configuration {
  /// Nil without `--backup`.
  var backups: Backups.Settings? {
    get throws(ValidationError) {
      try require("backup", for: ["backup-interval", "backup-keep"])
      try require("data", for: ["backup"])
      guard let folder = text("backup") else { return nil }
      var settings = Backups.Settings(folder: BackupFolder(path: folder))
      settings.interval = try span("backup-interval", in: Self.backupIntervals) ?? settings.interval
      settings.count = try number("backup-keep", in: 1...10_000) ?? settings.count
      return settings
    }
  }

  private static let backupIntervals = Duration.seconds(1)...Duration.seconds(7 * 86_400)
}
