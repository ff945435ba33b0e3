package runs

import "time"

// SetLive marks a run as in progress in this screen since a time; 0 marks none.
func (v *View) SetLive(run int64, began time.Time) {
	v.live = liveRun{began: began}
	v.live.table.Run.ID = run
}

// ShownRow returns the focused row of the table that is shown, from 0; -1 for none.
func (v *View) ShownRow() int { return v.content().table().row() }

// Row returns the focused row of the run's table, from 0; -1 for none.
func (v *View) Row() int { return v.results.row() }

// Column returns the focused column of the run's table, from 0.
func (v *View) Column() int { return v.results.column }
