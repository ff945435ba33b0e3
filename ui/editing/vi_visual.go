package editing

import (
	"confab/ui/keys"
)

// viVisual does a command with what visual mode has.
func (e *Editor) viVisual(f Field, t Text, command keys.Command) (r Result) {
	v := e.vi
	from, to, isLinewise := v.selection(t)
	operate := func(op keys.Command, isLinewise bool) {
		text := Text{Cells: t.Cells[from:to]}.String()
		v.mode, v.op = ModeNormal, op
		if isLinewise {
			to = max(to-1, from)
		}
		e.operate(f, t.moved(from), from, to, isLinewise)
		if op == keys.ViYank {
			r.Copied = text
		}
	}
	switch command {
	case keys.ViNormal:
		v.mode = ModeNormal
	case keys.ViVisual, keys.ViVisualLine:
		mode := map[keys.Command]Mode{keys.ViVisual: ModeVisual, keys.ViVisualLine: ModeVisualLine}[command]
		if v.mode == mode {
			mode = ModeNormal
		}
		v.mode = mode
	case keys.ViOpen:
		v.anchor, t.At = t.At, min(v.anchor, len(t.Cells))
		f.SetContent(t.unselected())
	case keys.ViDelete, keys.ViDeleteChar:
		operate(keys.ViDelete, isLinewise)
	case keys.ViChange, keys.ViSubstitute:
		operate(keys.ViChange, isLinewise)
	case keys.ViYank:
		operate(keys.ViYank, isLinewise)
	case keys.ViSwapCase:
		e.swapCase(f, t, from, to, from)
		v.mode = ModeNormal
	case keys.ViJoin:
		lines := 0
		for _, c := range t.Cells[from:max(to-1, from)] {
			if c == "\n" {
				lines++
			}
		}
		v.mode = ModeNormal
		e.join(f, t.moved(from), max(lines, 1))
	case keys.ViPut, keys.ViPutBefore:
		put := *e.register
		e.Change(f, func() {
			operate(keys.ViDelete, isLinewise)
			cut := *e.register
			*e.register = put
			t := f.Content()
			isEnd := !isLinewise && from >= t.lineEnd(t.At) || isLinewise && from >= len(t.Cells)
			e.viPut(f, t, isEnd, 1)
			*e.register = cut
		})
	case keys.ViReplace, keys.ViInsert, keys.ViAppend, keys.ViGo, keys.ViFind, keys.ViFindBack, keys.ViTill,
		keys.ViTillBack:
		v.wait = command
	}
	return r
}
