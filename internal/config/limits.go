package config

import "confab/service/api"

// Limits returns the limits of the client as set; what cannot be set is as
// [api.DefaultLimits] has it. The first byte of a slow model may take half of
// its whole time.
func (s Service) Limits() api.Limits {
	l := api.DefaultLimits()
	l.Connect, l.FirstByte, l.Whole = s.ConnectTimeout, s.FirstByteTimeout, s.RequestTimeout
	l.SlowFirstByte, l.SlowWhole = max(s.FirstByteTimeout, s.SlowRequestTimeout/2), s.SlowRequestTimeout
	l.JSON, l.Image = s.MaxAnswerBytes, s.MaxPictureBytes
	return l
}
