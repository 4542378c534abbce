/// Generates credentials for a fresh sandbox until nobody else has them: a seed may have given them to another sandbox.
///
/// `admit` generates under its labels with this ending, and says whether they were free.
package func generateUnique(_ admit: (_ ending: String) throws -> Bool) rethrows {
  var ending = ""
  while try !admit(ending) { ending += " again" }
}
