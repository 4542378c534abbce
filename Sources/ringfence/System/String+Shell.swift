extension String {
  /// The text as one word of a shell, which reads everything between single quotes as it is; a quote stands outside.
  var shellQuoted: String { "'\(replacing("'", with: #"'\''"#))'" }
}
