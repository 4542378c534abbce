/// Draws credentials for a fresh sandbox until nobody else has them: a seed may have given them to another sandbox.
///
/// `admit` draws under its labels with this ending, and says whether they were free.
func drawingUntilFree(_ admit: (_ ending: String) throws -> Bool) rethrows {
  var ending = ""
  while try !admit(ending) { ending += " again" }
}
