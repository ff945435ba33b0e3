package localfile_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"confab/history"
	"confab/service/api"
	"confab/service/localfile"
)

// newTree creates a user's folder next to another one, with files in both.
func newTree(t *testing.T) (mine, theirs string) {
	t.Helper()
	all := t.TempDir()
	mine, theirs = filepath.Join(all, "ana"), filepath.Join(all, "anabel") // one name is a prefix of the other
	for _, dir := range []string{filepath.Join(mine, "pictures"), theirs} {
		must(t, os.MkdirAll(dir, 0o700))
	}
	for _, path := range []string{filepath.Join(mine, "fox.PNG"), filepath.Join(mine, "Hen.webp"),
		filepath.Join(mine, "suite.yaml"), filepath.Join(mine, "notes.txt"), filepath.Join(mine, ".hidden.png"),
		filepath.Join(theirs, "secret.png")} {
		must(t, os.WriteFile(path, []byte("x"), 0o600))
	}
	return mine, theirs
}

func link(t *testing.T, to, at string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	must(t, os.Symlink(to, at))
}

func TestConfine(t *testing.T) {
	mine, theirs := newTree(t)
	link(t, theirs, filepath.Join(mine, "out"))
	link(t, filepath.Join(theirs, "nothing"), filepath.Join(mine, "dangling"))
	link(t, filepath.Join(mine, "pictures"), filepath.Join(mine, "in"))
	root := localfile.Root(mine)
	for path, want := range map[string]string{
		"fox.PNG":                         filepath.Join(mine, "fox.PNG"),
		"pictures/../fox.PNG":             filepath.Join(mine, "fox.PNG"),
		filepath.Join(mine, "fox.PNG"):    filepath.Join(mine, "fox.PNG"),
		"new/folder/x.png":                filepath.Join(mine, "new", "folder", "x.png"),
		"in/x.png":                        filepath.Join(mine, "in", "x.png"),
		".":                               mine,
		"../anabel/secret.png":            "",
		filepath.Join(theirs, "x.png"):    "",
		mine + "bel/secret.png":           "",
		"out/secret.png":                  "",
		"out/new.png":                     "",
		"dangling":                        "",
		"/etc/passwd":                     "",
		"pictures/../../anabel/new/x.png": "",
	} {
		got, err := root.Confine(path)
		if got != want || (err == nil) != (want != "") || err != nil && api.CodeOf(err) != api.CodeUsage {
			t.Errorf("%s: got %q and %v, want %q", path, got, err, want)
		}
	}
	var sentences []string // missing and forbidden paths get the same sentence
	for _, path := range []string{"/etc/passwd", "/nowhere/at/all", "out/secret.png", "dangling"} {
		_, err := root.Confine(path)
		sentences = append(sentences, err.Error())
	}
	if len(slices.Compact(sentences)) != 1 {
		t.Errorf("the errors tell what there is: %q", sentences)
	}
	if got, err := localfile.Root("").Confine("../x"); got != "../x" || err != nil {
		t.Errorf("without a root: %q, %v", got, err)
	}
}

func TestResolve(t *testing.T) {
	mine, _ := newTree(t)
	t.Setenv("HOME", mine)
	t.Setenv("USERPROFILE", mine)
	here := t.TempDir()
	t.Chdir(here)
	here, err := os.Getwd()
	must(t, err)
	for _, tt := range []struct {
		root       localfile.Root
		path, want string
	}{
		{"", "~/fox.PNG", filepath.Join(mine, "fox.PNG")}, {"", "~", mine}, {"", "x", filepath.Join(here, "x")},
		{"", "~other/x", filepath.Join(here, "~other", "x")}, {"", "", here},
		{localfile.Root(mine), "~/fox.PNG", filepath.Join(mine, "fox.PNG")}, {localfile.Root(mine), "~", mine},
		{localfile.Root(mine), "", mine}, {localfile.Root(mine), "~//etc/passwd", filepath.Join(mine, "etc", "passwd")},
	} {
		if got, err := tt.root.Resolve(tt.path); got != tt.want || err != nil {
			t.Errorf("%q below %q: got %q and %v, want %q", tt.path, tt.root, got, err, tt.want)
		}
	}
}

func TestList(t *testing.T) {
	mine, theirs := newTree(t)
	link(t, filepath.Join(mine, "fox.PNG"), filepath.Join(mine, "linked.jpg"))
	link(t, filepath.Join(mine, "nothing"), filepath.Join(mine, "dangling.png"))
	root := localfile.Root(mine)
	for kind, want := range map[localfile.FileKind][]string{
		localfile.PictureFiles: {"pictures", "fox.PNG", "Hen.webp", "linked.jpg"},
		localfile.SuiteFiles:   {"pictures", "suite.yaml"},
	} {
		f, err := root.List(t.Context(), "", kind)
		var names []string
		for _, e := range f.Entries {
			names = append(names, e.Name)
			if e.Path != filepath.Join(mine, e.Name) || e.IsDir != (e.Name == "pictures") || !e.IsDir && e.Size != 1 {
				t.Errorf("%s: %+v", kind, e)
			}
		}
		if !slices.Equal(names, want) || f.Path != mine || f.HasMore || err != nil {
			t.Errorf("%s: got %q of %s, %v", kind, names, f.Path, err)
		}
	}
	if _, err := root.List(t.Context(), theirs, localfile.PictureFiles); api.CodeOf(err) == "" {
		t.Errorf("the folder of another user: %v", err)
	}
	if _, err := root.List(t.Context(), "fox.PNG", localfile.PictureFiles); api.CodeOf(err) != api.CodeDisk {
		t.Errorf("a file: %v", err)
	}
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	if _, err := root.List(ctx, "", localfile.PictureFiles); !errors.Is(err, stopped) {
		t.Errorf("a list that nobody waits for: %v", err)
	}
}

func TestTemporaryFolders(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	owner := history.CurrentProcess()
	now := time.Now().Add(2 * time.Minute) // the folders are older than a minute
	living := localfile.NewProcess(owner, func() time.Time { return now })
	dead := owner
	dead.Boot = "a boot that never was"
	reborn := owner                                // another process with the same number
	reborn.Started = reborn.Started.Add(time.Hour) // an earlier one may be before the machine was started
	elsewhere := owner
	elsewhere.Host += "-of-another-name"
	kept := map[string]bool{"confab-of-somebody": true, "other": true}
	for name := range kept {
		must(t, os.Mkdir(filepath.Join(temp, name), 0o700))
	}
	for _, x := range []struct {
		process history.Process
		isKept  bool
	}{{owner, true}, {elsewhere, true}, {dead, false}, {reborn, false}} {
		dir, err := localfile.NewProcess(x.process, time.Now).MakeTempFolder()
		must(t, err)
		if x.isKept {
			kept[filepath.Base(dir)] = true
		}
	}
	if !living.IsAlive(living.Token()) || living.IsAlive(living.EndedToken()) || living.IsAlive("nonsense") ||
		living.IsAlive("x-1-2-3") || living.IsAlive("1-x-2-3") {
		t.Error("the token of a living process is taken for that of a dead one, or the other way")
	}
	if n := localfile.NewProcess(owner, time.Now).SweepTempFolders(); n != 0 {
		t.Errorf("%d folders that are younger than a minute were removed", n)
	}
	if n := living.SweepTempFolders(); n != 2 {
		t.Errorf("%d folders were removed, want those of the two dead processes", n)
	}
	entries, err := os.ReadDir(temp)
	must(t, err)
	for _, e := range entries {
		if !kept[e.Name()] {
			t.Errorf("%s was left", e.Name())
		}
		delete(kept, e.Name())
	}
	if len(kept) > 0 {
		t.Errorf("removed as well: %v", kept)
	}
}

func TestName(t *testing.T) {
	root := filepath.Join(t.TempDir(), "ana")
	for path, want := range map[string]string{
		filepath.Join(root, "pictures", "fox.png"): "pictures/fox.png",
		root: ".",
		filepath.Join(root+"bel", "secret", "fox.png"): "fox.png",
		filepath.Join(root, "..", "anabel", "fox.png"): "fox.png",
		"pictures/fox.png": "pictures/fox.png",
		"":                 "",
	} {
		if got := localfile.Root(root).Name(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		if got := localfile.Root("").Name(path); got != path {
			t.Errorf("without a root %s is %q", path, got)
		}
	}
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
