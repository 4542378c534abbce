import Domain

/// The country in errors about a number; nil for calling codes that belong to none.
func callingCountry(of number: PhoneNumber) -> String? { number.country }
