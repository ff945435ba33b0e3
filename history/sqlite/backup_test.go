package sqlite_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"confab/history"
	"confab/history/sqlite"
	"confab/history/storetest"
	"confab/internal/safego"
)

// names returns the names of the files in a folder.
func names(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

// TestBackup backs up a store during writes and restores it.
func TestBackup(t *testing.T) {
	t.Parallel()
	ctx, dir := t.Context(), t.TempDir()
	path, file := filepath.Join(dir, "history.db"), filepath.Join(dir, "backup.db")
	s, err := sqlite.Open(ctx, path, sqlite.Options{})
	must(t, err)
	storetest.Fill(t, s)
	before := storetest.Describe(t, s)
	var writing sync.WaitGroup
	started, stop := make(chan struct{}), make(chan struct{})
	writing.Add(1)
	safego.Go(nil, "writer", func() {
		defer writing.Done()
		for n := 0; ; n++ {
			if _, err := s.AddTurnToSession(ctx, "meanwhile", history.Turn{Prompt: "meanwhile"}); err != nil {
				t.Error(err)
			}
			if n == 0 {
				close(started)
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	}, nil)
	<-started
	err = sqlite.Backup(ctx, path, file)
	close(stop)
	writing.Wait()
	must(t, err)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup: %v, %v", info.Mode(), err)
	}
	if err := sqlite.Backup(ctx, path, file); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file: %v", err)
	}

	if _, err := sqlite.Restore(ctx, file, path); !errors.Is(err, history.ErrBusy) {
		t.Errorf("while it is open: %v", err)
	}
	must(t, s.Close())
	former, err := sqlite.Restore(ctx, file, path)
	if err != nil || former != path+".before" {
		t.Fatalf("restore: %q, %v", former, err)
	}
	former, err = sqlite.Restore(ctx, file, path)
	if err != nil || former != path+".before-2" {
		t.Fatalf("restore again: %q, %v", former, err)
	}
	if got := names(t, dir); got != "backup.db history.db history.db.before history.db.before-2" {
		t.Errorf("files: %s", got)
	}
	restored := open(t, path, sqlite.Options{})
	hit, err := restored.SessionNamed(ctx, "meanwhile")
	if err != nil || hit.Turns < 1 {
		t.Errorf("what was written before the backup: %+v, %v", hit, err)
	}
	must(t, errorOf(restored.DeleteSession(ctx, hit.ID)))
	must(t, restored.Purge(ctx, 0, nil))
	after := storetest.Describe(t, restored)
	for _, name := range []string{"sessions", "runs", "personas", "search for half",
		"exchange of alphacompare the lighthouses"} {
		if !reflect.DeepEqual(after[name], before[name]) {
			t.Errorf("%s\n got %+v\nwant %+v", name, after[name], before[name])
		}
	}
}

// TestRestoreRefuses restores invalid backups, which changes nothing.
func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := filepath.Join(dir, "good.db")
	fillStore(t, good, 20)
	b, err := os.ReadFile(good)
	must(t, err)
	changed := func(at int, by string) []byte {
		c := bytes.Clone(b)
		copy(c[at:], by)
		return c
	}
	old, err := os.ReadFile("testdata/0001.sql")
	must(t, err)
	for name, test := range map[string]struct {
		content []byte
		script  string
		want    error
	}{
		"empty":             {[]byte{}, "", history.ErrCorrupt},
		"a text":            {[]byte(strings.Repeat("no database ", 100)), "", history.ErrCorrupt},
		"truncated":         {b[:len(b)/2], "", history.ErrCorrupt},
		"a flipped page":    {changed(len(b)-5000, strings.Repeat("\xff", 3000)), "", history.ErrCorrupt},
		"a broken header":   {changed(16, "\xff\xff"), "", history.ErrCorrupt},
		"another program's": {b, `pragma application_id = 7`, history.ErrCorrupt},
		"newer":             {b, `pragma user_version = 999`, history.ErrNewer},
		"older than it is":  {b, `pragma user_version = 3`, history.ErrCorrupt},
		"a missing table":   {b, `drop table votes`, history.ErrCorrupt},
		"a trigger": {b, `create trigger t after insert on turns begin delete from answers; end`,
			history.ErrCorrupt},
		"a view for a table": {b, `drop table settings; create view settings as select 1 as name, 2 as value`,
			history.ErrCorrupt},
		"a partition that is none": {b, `create view turn_words_7 as select * from turns`, history.ErrCorrupt},
		"a row without its owner":  {b, `pragma foreign_keys = 0; delete from turns where id = 3`, history.ErrCorrupt},
		"the first release":        {nil, string(old), nil},
		"a whole one":              {b, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file, path := filepath.Join(dir, "backup"), filepath.Join(dir, "data", "history.db")
			write(t, file, test.content)
			if test.script != "" {
				do(t, file, test.script)
			}
			fillStore(t, path, 1)
			before, backup := sum(t, path), sum(t, file)
			_, err := sqlite.Restore(t.Context(), file, path)
			if !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			if test.want != nil && (sum(t, path) != before || names(t, filepath.Dir(path)) != "history.db") {
				t.Errorf("the history was changed, or there are other files: %s", names(t, filepath.Dir(path)))
			}
			if sum(t, file) != backup {
				t.Error("the backup was changed")
			}
			must(t, open(t, path, sqlite.Options{}).Check(t.Context()))
		})
	}
	if _, err := sqlite.Restore(t.Context(), dir, good); !errors.Is(err, history.ErrCorrupt) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := sqlite.Restore(t.Context(), filepath.Join(dir, "no"), good); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// TestRestoreOverDamage keeps a damaged store with its sidecars.
func TestRestoreOverDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, path := filepath.Join(dir, "backup.db"), filepath.Join(dir, "history.db")
	fillStore(t, file, 3)
	write(t, path, []byte(strings.Repeat("garbage", 1000)))
	write(t, path+"-wal", []byte("its log"))
	former, err := sqlite.Restore(t.Context(), file, path)
	must(t, err)
	if log, _ := os.ReadFile(former + "-wal"); string(log) != "its log" {
		t.Errorf("the log of the former store: %q", log)
	}
	got := names(t, dir)
	if got != "backup.db history.db history.db.before history.db.before-shm history.db.before-wal" {
		t.Errorf("files: %s", got)
	}
	must(t, errorOf(open(t, path, sqlite.Options{}).Turn(t.Context(), 3)))
}

// TestOpenForReading reads stores of this and the first release without changing them.
func TestOpenForReading(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("testdata/0001.sql")
	must(t, err)
	dir := t.TempDir()
	path := filepath.Join(dir, "old.db")
	do(t, path, string(script))
	before := sum(t, path)
	s, err := sqlite.OpenForReading(t.Context(), path)
	must(t, err)
	readFirstRelease(t, s)
	if err := s.SetSetting(t.Context(), "a", "b"); !errors.Is(err, history.ErrReadOnly) {
		t.Errorf("writing: %v", err)
	}
	must(t, s.Close())
	if sum(t, path) != before || names(t, dir) != "old.db" {
		t.Errorf("the store was changed: %s", names(t, dir))
	}
}
