package conversation

import "confab/ui/flow"

// maxLines is how many rendered lines are kept.
const maxLines = 10_000

// renderings holds the parts that were rendered, by the text they belong to: all parts of a text are looked up whenever
// something of it is written, and there may be thousands.
type renderings struct {
	texts map[flow.Key]*renderedText // by textKey
	lines int
}

// renderedText holds the parts of one text that were rendered.
type renderedText struct {
	blocks []*rendering // by their index
	others map[int]*rendering
}

// textKey returns the key that all parts of a text share.
func textKey(key flow.Key) flow.Key {
	key.Index = 0
	return key
}

// ofText returns the parts of a text.
func (r *renderings) ofText(key flow.Key) *renderedText {
	t := r.texts[textKey(key)]
	if t == nil {
		t = &renderedText{others: map[int]*rendering{}}
		r.texts[textKey(key)] = t
	}
	return t
}

// at returns the part with an index, nil where it was not rendered.
func (t *renderedText) at(index int) *rendering {
	if index < 0 {
		return t.others[index]
	}
	if index < len(t.blocks) {
		return t.blocks[index]
	}
	return nil
}

// of returns how a part was rendered, nil where it was not.
func (r *renderings) of(key flow.Key) *rendering { return r.ofText(key).at(key.Index) }

// put keeps a rendered part.
func (r *renderings) put(part rendering) {
	r.remove(part.key)
	r.lines += len(part.lines)
	t, index := r.ofText(part.key), part.key.Index
	if index < 0 {
		t.others[index] = &part
		return
	}
	for len(t.blocks) <= index {
		t.blocks = append(t.blocks, nil)
	}
	t.blocks[index] = &part
}

// remove forgets a part.
func (r *renderings) remove(key flow.Key) {
	t := r.ofText(key)
	if part := t.at(key.Index); part != nil {
		r.lines -= len(part.lines)
	}
	if key.Index < 0 {
		delete(t.others, key.Index)
		return
	}
	if key.Index < len(t.blocks) {
		t.blocks[key.Index] = nil
	}
}
