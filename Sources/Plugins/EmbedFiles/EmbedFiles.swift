import Foundation
import PackagePlugin

/// Embeds each file of a target that is not source code, as `PackageResources.Seed_json` for `Seed.json`.
///
/// SwiftPM's own `.embedInCode` gives the same names, but writes array literals: the compiler needs 36 s for
/// the console's 185 KB, and 0.1 s for a text.
@main
struct EmbedFiles: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let files = target.sourceFiles.filter { $0.type != .source }.map(\.url)
    let output = context.pluginWorkDirectoryURL.appending(path: "PackageResources.swift")
    return [
      .buildCommand(
        displayName: "Embed the files of \(target.name)", executable: try context.tool(named: "embed").url,
        arguments: [output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
    ]
  }
}
