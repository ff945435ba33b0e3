package conversation

import "confab/ui/flow"

// maxLines is how many rendered lines are kept.
const maxLines = 10_000

// renderings holds the parts that were rendered.
type renderings struct {
	parts map[flow.Key]rendering
	lines int
}

func (r *renderings) put(part rendering) {
	r.remove(part.key)
	r.parts[part.key] = part
	r.lines += len(part.lines)
}

func (r *renderings) remove(key flow.Key) {
	r.lines -= len(r.parts[key].lines)
	delete(r.parts, key)
}

// textKey returns the key that all parts of a text share.
func textKey(key flow.Key) flow.Key {
	key.Index = 0
	return key
}
