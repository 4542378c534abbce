import Markup
import ProviderKit

/// All workshops, and a form for a new one.
struct WorkshopsPage: Page {
  let title = "Workshops"
  private let workshops: [(workshop: Workshop, progress: WorkshopProgress)]
  private let stories: [(name: String, story: Story)]

  init(_ sandboxes: Sandboxes) throws {
    workshops = try sandboxes.workshops.all.map { ($0, try sandboxes.workshops.progress(of: $0)) }
    stories = try sandboxes.seeds.stories.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func content(_ layout: Layout) -> HTML {
    h1 { "Workshops" }
    if workshops.isEmpty {
      p(.class("empty")) { "No workshop yet. Create one below: each participant gets a sandbox and a card." }
    } else {
      ul(.class("workshops")) { for entry in workshops { line(entry.workshop, entry.progress) } }
    }
    section(.class("panel new-workshop"), .label("New workshop")) {
      h2 { "New workshop" }
      form(.init("data-send", "/control/workshops"), .init("data-next", "/console/workshops/{name}")) {
        label(.init("for", "workshop-name")) { "Name" }
        input(
          .id("workshop-name"), .name("name"), .init(flag: "required"), .init("placeholder", "tuesday"),
          .init("autocomplete", "off"), .init("aria-describedby", "name-help name-problem"),
          .init(flag: "data-kept"))
        p(.id("name-help"), .class("help")) { "Up to 40 letters (A to Z), digits, - and _, without spaces." }
        FormProblem(of: "name").html
        label(.init("for", "workshop-story")) { "Story" }
        select(.id("workshop-story"), .name("story"), .init("data-type", "story")) {
          for (name, story) in stories {
            for flavour in story.flavours {
              option(.value("\(name) \(flavour.name)")) {
                "\(name), \(flavour.name) (\(flavour.tasks.count) tasks)"
              }
            }
          }
        }
        FormProblem(of: "story").html
        label(.init("for", "workshop-participants")) { "Participants" }
        textArea(
          .id("workshop-participants"), .name("participants"), .init("rows", "5"), .init(flag: "required"),
          .init("data-type", "participants"),
          .init("aria-describedby", "participants-help participants-problem"), .init(flag: "data-kept"))
        p(.id("participants-help"), .class("help")) {
          "A number, such as 12, or their names, one per line. At most \(Workshop.maxParticipants)."
        }
        FormProblem(of: "participants").html
        button(.type("submit"), .class("primary")) { "Create" }
        FormProblem(of: "form").html
      }
    }
    section(.label("Stories")) {
      h2 { "Stories" }
      dl(.class("stories")) {
        for (name, story) in stories {
          dt { name }
          dd { "\(story.title)\(story.title.hasSuffix("?") ? "" : ".") \(story.summary)" }
        }
      }
    }
  }

  private func line(_ workshop: Workshop, _ progress: WorkshopProgress) -> HTML {
    li(.id("workshop-\(workshop.name)")) {
      a(.href("/console/workshops/\(workshop.name)")) { workshop.name }
      span {
        "\(workshop.story), \(workshop.flavour). \(progress.participants) participants, "
        "\(progress.finished) finished."
      }
    }
  }
}
