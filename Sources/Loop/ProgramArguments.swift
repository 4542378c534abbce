import CStart
import Glibc

/// The words of the command line; the first is the program. Swift's `CommandLine` can be without them.
package enum ProgramArguments {
  /// As bytes, since they need not be UTF-8.
  package static var bytes: [[UInt8]] {
    (0..<cstart_word_count()).compactMap { index in
      cstart_word(index).map { word in
        UnsafeBufferPointer(start: word, count: strlen(word)).map { UInt8(bitPattern: $0) }
      }
    }
  }

  package static var texts: [String] { bytes.map { String(decoding: $0, as: UTF8.self) } }
}
