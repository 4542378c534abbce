package enum LoopPlaceholder {}
