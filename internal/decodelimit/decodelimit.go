// Package decodelimit bounds the memory that pictures take while they are decoded, over everything that the process
// does at a time: answers that are judged, edits, previews on all screens, contact sheets.
package decodelimit

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// Bytes is what all decoding together may take: as much as the largest picture that is decoded at all, 40 megapixels of
// 5 bytes each. Small pictures are decoded side by side, a large one alone.
const Bytes = 200_000_000

// memory is the one limit of the process. It is safe for concurrent use.
var memory = semaphore.NewWeighted(Bytes)

// Acquire waits until so many bytes may be used and returns how to give them back. What takes more than there is waits
// until it is alone. The error is why ctx ended.
func Acquire(ctx context.Context, bytes int64) (release func(), err error) {
	bytes = min(max(bytes, 1), Bytes)
	if err := memory.Acquire(ctx, bytes); err != nil {
		return nil, context.Cause(ctx)
	}
	return func() { memory.Release(bytes) }, nil
}
