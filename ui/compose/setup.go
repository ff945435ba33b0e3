package compose

import (
	"reflect"

	"confab/history"
)

// Setup returns what the next turn is sent with, as sessions keep it.
func (c *Composer) Setup() history.Setup {
	return history.Setup{Models: c.Models.Marked(), System: c.System.Text(), Params: c.settings.Params,
		HasContext: c.settings.HasContext}
}

// applySetup shows what a session keeps; nil for one that keeps nothing.
func (c *Composer) applySetup(setup *history.Setup) {
	c.stored = setup
	c.System.Reset("")
	if setup == nil {
		return
	}
	c.System.Reset(setup.System)
	if len(setup.Models) > 0 {
		c.Models.isByHand, c.Models.hasMarked = false, false
		c.Mark(setup.Models)
	}
	s := c.settings
	s.Params, s.HasContext = setup.Params, setup.HasContext
	c.setSettings(s)
	c.ApplyGiven()
}

// ApplyGiven shows what was asked for with the first session, in place of what the session and its draft keep.
func (c *Composer) ApplyGiven() {
	if len(c.Given.Models) > 0 {
		c.MarkByHand(c.Given.Models)
	}
	if c.Given.System != "" {
		c.System.Reset(c.Given.System)
	}
	if s := c.settings; !c.Given.Params.IsZero() {
		s.Params = c.Given.Params
		c.setSettings(s)
	}
}

// changedSetup returns what the open session has to store, nil when it keeps that already.
func (c *Composer) changedSetup() *history.Setup {
	s, setup := c.Session(), c.Setup()
	if s.ID == 0 || s.Owner != "" || !c.IsSaving || c.stored != nil && reflect.DeepEqual(*c.stored, setup) {
		return nil
	}
	c.stored = &setup
	return &setup
}
