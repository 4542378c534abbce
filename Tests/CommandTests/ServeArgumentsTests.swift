import ArgumentParser
import Testing

@testable import ringfence

@Suite("Arguments of serve")
struct ServeArgumentsTests {
  @Test("the names are those of the command's options")
  func names() throws {
    #expect(try ServeArguments.names.sorted() == ServeCommand.parse([]).flags.keys.sorted())
  }

  @Test(
    "values are those that the library reads",
    arguments: [
      [], ["--http", "127.0.0.1:0", "--ready", "json"], ["--live", "--supervise", "--open-control"],
      ["--numbers", "any", "--numbers", "open"], ["--seed", ""],
    ])
  func values(_ arguments: [String]) throws {
    let command = try ServeCommand.parse(arguments)
    #expect(ServeArguments.flags(arguments) == command.flags)
  }

  @Test(
    "everything else is left to the library",
    arguments: [
      ["--help"], ["--http"], ["--http", "--ready"], ["--http=127.0.0.1:0"], ["--no-live"], ["--htp", "off"],
      ["folder"], ["-h"], ["--access-log", "-"], ["--"], ["--live", "true"],
    ])
  func leftAlone(_ arguments: [String]) {
    #expect(ServeArguments.flags(arguments) == nil)
  }
}
