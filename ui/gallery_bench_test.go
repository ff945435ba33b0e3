package ui

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/history/sqlite"
	"confab/service"
	"confab/service/api"
	"confab/service/pictures"
	"confab/themes"
	"confab/ui/browse"
	"confab/ui/screen"
)

// ofPictures returns a screen of 120x40 on a history of n pictures, of which so
// many files of 1024x1024 px are different ones.
func ofPictures(b *testing.B, n, files int) *Model {
	b.Helper()
	dir := b.TempDir()
	var paths []string
	for i := range files {
		img := image.NewRGBA(image.Rect(0, 0, 1024, 1024))
		for y := range 1024 {
			for x := range 1024 {
				img.SetRGBA(x, y, color.RGBA{uint8(x*y>>9) ^ uint8(i), uint8(x >> 2), uint8(y >> 2), 255})
			}
		}
		var file bytes.Buffer
		if err := png.Encode(&file, img); err != nil {
			b.Fatal(err)
		}
		path := filepath.Join(dir, fmt.Sprintf("%04d.png", i))
		if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
			b.Fatal(err)
		}
		paths = append(paths, path)
	}
	store, err := sqlite.Open(b.Context(), filepath.Join(dir, "history.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for made := 0; made < n; {
		t := history.Turn{Prompt: fmt.Sprintf("a fox under lamp %d", made)}
		for range min(50, n-made) {
			t.Answers = append(t.Answers,
				history.Answer{Model: "sim-image", Kind: history.KindImage, State: history.Done, Version: 1,
					Picture: &history.Picture{Path: paths[made%files], ContentType: "image/png", Width: 1024,
						Height: 1024,
						Bytes:  1 << 20}})
			made++
		}
		if _, err := store.AddTurnToSession(b.Context(), "posters", t); err != nil {
			b.Fatal(err)
		}
	}
	svc := service.New(service.Options{
		History: service.HistoryOptions{Saves: true,
			Open: func(context.Context) (history.Store, error) { return store, nil }},
		Backend:     service.BackendOptions{Catalogue: api.Default},
		Pictures:    pictures.Options{Folder: dir},
		DraftFolder: filepath.Join(dir, "drafts"),
	})
	b.Cleanup(func() {
		if err := svc.Close(context.Background()); err != nil {
			b.Error(err)
		}
	})
	m := New(b.Context(),
		Options{Service: svc, Keys: Keys(),
			Theme: screen.Theme{Palettes: themes.Shipped(), Name: "confab-dark", Profile: colorprofile.TrueColor}})
	feed(m, tea.WindowSizeMsg{Width: 120, Height: 40})
	return m
}

// gallery opens the gallery and does what it asks for until there are so many
// thumbnails.
func (m *Model) gallery(b *testing.B, thumbs int) {
	queue := []tea.Msg{tea.KeyPressMsg{Code: 'g', Mod: tea.ModCtrl}}
	for len(queue) > 0 {
		_, cmd := m.Update(queue[0])
		queue = append(queue[1:], finish(cmd)...)
		if g, ok := m.dialogs.Top().(*browse.Gallery); ok && len(g.Pictures()) >= thumbs && g.Len() > 0 {
			if _, read := g.At(0); read {
				return
			}
		}
	}
	b.Fatalf("the gallery never had %d pictures", thumbs)
}

// finish runs a command to its end; batches are taken apart.
func finish(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		var out []tea.Msg
		for _, c := range msg {
			out = append(out, finish(c)...)
		}
		return out
	default:
		return []tea.Msg{msg}
	}
}

// BenchmarkGallery is opening the gallery of 10,000 pictures: until its captions
// and facts are on the screen, and until its first twelve thumbnails are.
func BenchmarkGallery(b *testing.B) {
	m := ofPictures(b, 10_000, 48)
	for _, bench := range []struct {
		name   string
		thumbs int
	}{{"captions", 0}, {"a screen of thumbnails", 12}} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				m.gallery(b, bench.thumbs)
				_ = m.View()
				m.dialogs.Pop()
			}
		})
	}
	b.Run("a step", func(b *testing.B) {
		m.gallery(b, 12)
		right, left := tea.KeyPressMsg{Code: tea.KeyRight}, tea.KeyPressMsg{Code: tea.KeyLeft}
		for i := 0; b.Loop(); i++ {
			if m.Update(right); i%2 == 1 {
				m.Update(left)
				m.Update(left)
			}
			_ = m.View()
		}
		m.dialogs.Pop()
	})
	b.Run("memory", func(b *testing.B) {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for b.Loop() {
			m.gallery(b, 12)
			runtime.GC()
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/1e6, "MB-held")
			m.dialogs.Pop()
		}
	})
}
