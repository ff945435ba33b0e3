package conversation

import tea "charm.land/bubbletea/v2"

// DrawnBytes returns how many bytes of lines a message of finished work brings.
func DrawnBytes(msg tea.Msg) int {
	n := 0
	if m, ok := msg.(renderedMsg); ok {
		for _, r := range m.parts {
			for _, line := range r.lines {
				n += len(line)
			}
		}
	}
	return n
}
