"""The regions of the screen: each draws its part and says what the operator did."""
