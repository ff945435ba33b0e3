package retouch_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"runtime"
	"testing"
	"time"

	"confab/service/engine/offline/retouch"
)

// TestAnEditOfALargePictureTakesLittleMemory measures the heap while editing 20 megapixels of one bit, a file of a
// few kilobytes.
func TestAnEditOfALargePictureTakesLittleMemory(t *testing.T) {
	src := image.NewPaletted(image.Rect(0, 0, 4000, 5000), color.Palette{color.Black, color.White})
	for i := range src.Pix {
		src.Pix[i] = uint8(i / 4000 / 100 % 2)
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, src); err != nil {
		t.Fatal(err)
	}
	src = nil
	runtime.GC()
	most := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, peak := most(), uint64(0)
	stop, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				peak = max(peak, most())
			case <-stop:
				return
			}
		}
	}()
	out, err := retouch.Edit(t.Context(), "make it sepia", b.Bytes(), 1)
	close(stop)
	<-over
	if err != nil {
		t.Fatal(err)
	}
	if c, err := png.DecodeConfig(bytes.NewReader(out)); err != nil || c.Width*c.Height > 4_000_000 ||
		c.Width*c.Height < 3_800_000 {
		t.Errorf("the result is %d×%d, %v", c.Width, c.Height, err)
	}
	if took := (int64(peak) - int64(before)) >> 20; took > 120 {
		t.Errorf("it took %d MiB", took)
	} else {
		t.Logf("%d MiB", took)
	}
}
