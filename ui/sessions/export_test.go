package sessions

// SlowStart is the message that comes when opening the store takes long.
var SlowStart = slowStartMsg{}
