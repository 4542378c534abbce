import CLinux

/// Says on standard error that a signal ends this process, and what it was doing: `ringfence: crashed by
/// SIGSEGV while handling GET /livez`.
package enum CrashReport {
  /// What the process is doing, in memory that it changes while it works and that stays where it is.
  package struct Activity {
    /// The index of the words.
    package let phase: UnsafePointer<UInt8>
    /// Of the text, in bytes.
    package let length: UnsafePointer<UInt16>
    package let text: UnsafePointer<CChar>

    package init(phase: UnsafePointer<UInt8>, length: UnsafePointer<UInt16>, text: UnsafePointer<CChar>) {
      self.phase = phase
      self.length = length
      self.text = text
    }
  }

  /// From here on. `words` are those of each phase: alone, and before a text. Stack overflows are reported of
  /// the calling thread only.
  package static func begin(_ activity: Activity, words: [(alone: StaticString, before: StaticString)]) {
    let texts = words.flatMap { [$0.alone, $0.before] }
    let list = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: texts.count)
    for (place, text) in texts.enumerated() {
      (list + place).initialize(to: UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self))
    }
    clinux_report_crashes(activity.phase, activity.length, activity.text, list)
  }
}
