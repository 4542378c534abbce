package enum ControlPlaceholder {}
