package runs

// Row returns the focused row of the run's table, from 0; -1 for none.
func (v *View) Row() int {
	if v.results == nil {
		return -1
	}
	return v.results.row()
}

// Column returns the focused column of the run's table, from 0.
func (v *View) Column() int {
	if v.results == nil {
		return 0
	}
	return v.results.column
}
