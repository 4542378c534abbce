extension String {
  /// The text as one word of a POSIX shell.
  package var shellQuoted: String { "'\(replacing("'", with: #"'\''"#))'" }
}
