package pixels_test

import (
	"context"
	"errors"
	"testing"

	"confab/internal/pixels"
)

// TestALargePictureIsDecodedAlone holds what a large picture needs: small ones wait, and so does another large one.
func TestALargePictureIsDecodedAlone(t *testing.T) {
	acquire := func(bytes int64) (func(), error) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("it would wait"))
		return pixels.Acquire(ctx, bytes)
	}
	small, err := pixels.Acquire(t.Context(), pixels.Bytes/4)
	if err != nil {
		t.Fatal(err)
	}
	beside, err := pixels.Acquire(t.Context(), pixels.Bytes/4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := acquire(pixels.Bytes); err == nil || err.Error() != "it would wait" {
		t.Errorf("a large one beside two small ones: %v", err)
	}
	small()
	beside()
	large, err := pixels.Acquire(t.Context(), 10*pixels.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := acquire(1); err == nil {
		t.Error("a small one beside one that takes more than there is")
	}
	large()
	if last, err := pixels.Acquire(t.Context(), pixels.Bytes); err != nil {
		t.Error(err)
	} else {
		last()
	}
}
