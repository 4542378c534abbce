package enum JSONPlaceholder {}
