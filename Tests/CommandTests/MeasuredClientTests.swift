import Testing

@testable import ringfence

@Suite("Command · measured clients")
struct MeasuredClientTests {
  @Test(
    "46 F1: lists of dependencies name the clients that run does not reach",
    arguments: [
      ("Gemfile.lock", "vonage (7.16.1)\n  net-http-persistent (4)", ["net-http-persistent", "vonage"]),
      ("Gemfile.lock", "    http-cookie (1.0)\n  remote: https://rubygems.org/\n", []),
      ("Gemfile.lock", "    http (5.2.0)\n", ["http"]),
      ("pom.xml", "<artifactId>sinch-sdk-java</artifactId>", ["sinch-sdk-java"]),
      ("build.gradle.kts", "implementation(\"com.sinch.sdk:sinch-sdk-java:1.6\")", ["sinch-sdk-java"]),
      ("requirements-dev.txt", "twilio==6.63.2\n", ["twilio"]), ("requirements.txt", "twilio==9.13.0\n", []),
      ("requirements.txt", "twilio\nrequests==2.31.0\n", []), ("requirements.txt", "twilio<7\n", ["twilio"]),
      ("requirements.txt", "twilio>=6.0\n", []), ("requirements.txt", "twilio>=6,<7.0\n", ["twilio"]),
      ("requirements.txt", "twilio~=6.50  # old\n", ["twilio"]), ("requirements.txt", "# twilio==6.1\n", []),
      ("requirements.txt", "twilio!=6.3\r\n7zip==1\r\n", []), ("requirements.txt", "twilio<7.1,>6\n", []),
      ("pyproject.toml", "dependencies = [\"twilio\", \"6to4==1\"]\n", []),
      ("pyproject.toml", "twilio = { version = \"^6.0\", optional = true }\n", ["twilio"]),
      ("pyproject.toml", "twilio = \"6.*\"\n", ["twilio"]),
      ("dev-requirements.txt", "twilio==6.1", ["twilio"]),
      ("requirements/base.txt", "Google_API_Python_Client\n", ["google-api-python-client"]),
      ("gradle/libs.versions.toml", "module = \"com.sinch.sdk:sinch-sdk-java\"", ["sinch-sdk-java"]),
      ("Gemfile", "source \"http://rubygems.org\"\ngem \"rails\" # no typhoeus\n", []),
      ("Gemfile", "gem \"http\"\n", ["http"]),
      ("poetry.lock", "name = \"twilio\"\nversion = \"6.63.2\"\n", ["twilio"]),
      ("requirements.txt", "google-api-python-client>=2\n", ["google-api-python-client"]),
      ("notes.txt", "vonage", []), ("requirements.txt", "vonage==4.9.1\n", []),
    ])
  func packages(file: String, text: String, found: [String]) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    if let end = file.lastIndex(of: "/") { try Files.makeFolders("\(folder.path)/\(file[..<end])") }
    try Files.write(text, to: "\(folder.path)/\(file)")

    let packages = UnreachedPackage.all(in: folder.path)

    #expect(packages.compactMap(\.client.package).sorted() == found)
    #expect(packages.allSatisfy { $0.file == file })
  }

  @Test("46 F1: every row of the measurements is read, and has an outcome of each kind")
  func rows() {
    #expect(MeasuredClient.all.count > 30)
    #expect(Set(MeasuredClient.all.map(\.reach)).count == 3)
  }
}
