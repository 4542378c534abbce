import Foundation

#if os(macOS) || os(Linux)
  /// A running `ringfence run`. Its command reads the pipe that this process holds, so that it ends with this
  /// process, however that ends.
  final class Program: Sendable {
    private static let name = "ringfence"
    private static let startWithin = 30  // seconds
    /// The program refuses variables that it does not know, and must not think that it runs within another.
    private static let ownVariables = [
      "RINGFENCE_REPORT", "RINGFENCE_TEST", "RINGFENCE_URL", "RINGFENCE_HTTPS_URL", "RINGFENCE_GATEWAY_URL",
      "RINGFENCE_TOKEN",
    ]

    let url: String
    let processIdentifier: Int32
    private let input: FileHandle
    private let errorFile: FileHandle
    private let ending: Task<String, Never>

    private init(
      url: String, process: Int32, input: FileHandle, errors: FileHandle, ending: Task<String, Never>
    ) {
      (self.url, processIdentifier, self.input) = (url, process, input)
      (errorFile, self.ending) = (errors, ending)
    }

    static func start(_ options: [String]) async throws -> Program {
      let file = try find()
      let (process, input, output) = (Process(), Pipe(), Pipe())
      let errors = try temporaryFile()
      // Other programs that the tests start must not hold the pipe, or it stays open.
      _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
      process.executableURL = URL(fileURLWithPath: file)
      let command = ["/bin/sh", "-c", #"echo "$RINGFENCE_URL"; exec cat >/dev/null"#]
      process.arguments = ["run", "--quiet", "--overwrite"] + options + ["--"] + command
      process.environment = ProcessInfo.processInfo.environment.filter { !ownVariables.contains($0.key) }
      (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
      let (endings, ended) = AsyncStream<String>.makeStream()
      process.terminationHandler = { process in
        let kind = process.terminationReason == .uncaughtSignal ? "signal" : "status"
        ended.yield("\(kind) \(process.terminationStatus)")
        ended.finish()
      }
      do {
        try process.run()
      } catch {
        throw RingfenceError("\(file) did not start: \(error.localizedDescription)")
      }
      let identifier = process.processIdentifier
      let ending = Task.detached { await endings.first { _ in true } ?? "an unknown status" }
      let deadline = Task.detached {
        try await Task.sleep(for: .seconds(startWithin))
        kill(identifier, SIGTERM)
      }
      let line = await firstLine(of: output.fileHandleForReading)
      deadline.cancel()
      let program = Program(
        url: line, process: identifier, input: input.fileHandleForWriting, errors: errors, ending: ending)
      guard line.isEmpty else { return program }
      let why = await ending.value
      throw RingfenceError("\(file) did not start: \(why)\n\(program.errors)")
    }

    /// What it has said at last.
    var errors: String {
      guard let end = try? errorFile.seekToEnd() else { return "" }
      try? errorFile.seek(toOffset: end > 4000 ? end - 4000 : 0)
      let text = (try? errorFile.readToEnd()) ?? Data()
      return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// How it ended. A connection is refused shortly before the end is known.
    func endingSoon() async -> String? {
      let (first, found) = AsyncStream<String?>.makeStream()
      Task.detached { found.yield(await self.ending.value) }
      Task.detached {
        try? await Task.sleep(for: .seconds(1))
        found.yield(nil)
      }
      return await first.first { _ in true } ?? nil
    }

    func stop() async {
      try? input.close()
      _ = await ending.value
    }

    /// The program of $RINGFENCE_BINARY, of the package next to the tests, of the Python wheel in a virtual
    /// environment, or of the PATH.
    static func find(
      _ environment: [String: String] = ProcessInfo.processInfo.environment,
      in folder: String = FileManager.default.currentDirectoryPath,
      tests: String = CommandLine.arguments.first ?? ""
    ) throws -> String {
      if let named = environment["RINGFENCE_BINARY"], !named.isEmpty {
        if isProgram(named) { return named }
        throw RingfenceError("RINGFENCE_BINARY: there is no program \(named)")
      }
      let environments = [environment["VIRTUAL_ENV"], "\(folder)/.venv"].compactMap { $0.map { "\($0)/bin" } }
      let path = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
      let folders = [URL(fileURLWithPath: tests).deletingLastPathComponent().path] + environments + path
      if let found = folders.map({ "\($0)/\(name)" }).first(where: isProgram) { return found }
      throw RingfenceError(
        "there is no program ringfence: install it (pip install ringfence), put it on the PATH, or set "
          + "RINGFENCE_BINARY")
    }

    private static func isProgram(_ path: String) -> Bool {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        && FileManager.default.isExecutableFile(atPath: path)
    }

    /// A file without a name, which goes with this process.
    private static func temporaryFile() throws -> FileHandle {
      guard let file = tmpfile() else {
        throw RingfenceError("no temporary file can be made: errno \(errno)")
      }
      defer { fclose(file) }
      return FileHandle(fileDescriptor: dup(fileno(file)), closeOnDealloc: true)
    }

    /// Empty if the output ends before.
    private static func firstLine(of output: FileHandle) async -> String {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          var text = Data()
          while !text.contains(0x0A) {
            let piece = output.availableData
            guard !piece.isEmpty else { break }
            text += piece
          }
          let line = text.contains(0x0A) ? text.prefix { $0 != 0x0A } : Data()
          continuation.resume(returning: String(decoding: line, as: UTF8.self))
        }
      }
    }
  }
#else
  /// On this system, tests use the server at $RINGFENCE_URL.
  final class Program: Sendable {
    let url = ""
    let processIdentifier: Int32 = 0
    let errors = ""

    static func start(_ options: [String]) async throws -> Program {
      throw RingfenceError("no program can be started on this system: set RINGFENCE_URL to a running server")
    }

    func endingSoon() async -> String? { nil }
    func stop() async {}
  }
#endif
