package cli_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
	"confab/internal/s3test"
)

// TestSSHCheckTriesTheDatabase names a database that is not there.
func TestSSHCheckTriesTheDatabase(t *testing.T) {
	environ := clitest.InDatabase(t)
	environ[0] = strings.Replace(environ[0], "/confab?", "/another?", 1)
	w := clitest.NewWorld(t, environ...)
	clitest.WantTexts(t, w.Must(cli.ExitFailed, "ssh", "--check", "--listen", "127.0.0.1:0").Out,
		"fail\tdatabase\tthe server of the history has no such database")
}

// TestAPictureIsFetchedFromAnotherHost makes a picture on one of two hosts with one database and one bucket.
func TestAPictureIsFetchedFromAnotherHost(t *testing.T) {
	bucket := s3test.Start(t)
	environ := append(clitest.InDatabase(t), "CONFAB_PICTURES_URL="+bucket.URL("team"),
		"CONFAB_PICTURES_KEY="+s3test.Key)
	one, two := clitest.NewWorld(t, environ...), clitest.NewWorld(t, environ...)
	for _, w := range []*clitest.World{one, two} {
		w.Configure("[ssh]\ncommands = ['ask', 'pictures']\n")
	}
	first, second := serve(one, []string{"anna"}), serve(two, []string{"anna"})
	if r := first.ask("anna", "", "ask -m sim-image a fox"); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	if n := len(bucket.Objects("team")); n != 2 {
		t.Fatalf("%d objects", n)
	}
	if r := second.ask("anna", "", "pictures"); r.Code != 0 || !strings.Contains(r.Out, "\x89PNG") {
		t.Errorf("status %d, %s", r.Code, r.Err)
	}
}

// picturesOn returns the paths of the pictures that the users of a host have in files.
func picturesOn(w *clitest.World) (paths []string) {
	_ = filepath.WalkDir(w.Home, func(path string, _ fs.DirEntry, _ error) error {
		if filepath.Ext(path) == ".png" && filepath.Base(filepath.Dir(path)) == "pictures" {
			paths = append(paths, path)
		}
		return nil
	})
	return paths
}

// TestCopiesOfAHostAreBounded makes pictures of two users on a host that may keep no copies but the newest.
func TestCopiesOfAHostAreBounded(t *testing.T) {
	bucket := s3test.Start(t)
	w := clitest.NewWorld(t, "CONFAB_PICTURES_URL="+bucket.URL("team"), "CONFAB_PICTURES_KEY="+s3test.Key,
		"CONFAB_PICTURES_CACHE_SIZE=0")
	w.Configure("[ssh]\ncommands = ['ask', 'pictures']\n")
	s := serve(w, []string{"anna", "bob"})
	var pictures []string
	for _, user := range []string{"anna", "bob"} {
		if r := s.ask(user, "", "ask -m sim-image 'a fox of "+user+"'"); r.Code != 0 {
			t.Fatalf("%+v", r)
		}
	}
	for _, user := range []string{"anna", "bob", "anna"} {
		r := s.ask(user, "", "pictures")
		if r.Code != 0 || !strings.Contains(r.Out, "\x89PNG") {
			t.Errorf("%s: status %d, %s", user, r.Code, r.Err)
		}
		pictures = append(pictures, r.Out)
		if paths := picturesOn(s.World); len(paths) != 1 || !strings.Contains(paths[0], "/users/"+user+"/") {
			t.Errorf("%s looked, and there are %q", user, paths)
		}
	}
	if pictures[0] != pictures[2] || pictures[0] == pictures[1] {
		t.Error("a user got the picture of another")
	}
}

// TestPicturesInABucketCount makes pictures until those in the bucket take the space of the user, on either host.
func TestPicturesInABucketCount(t *testing.T) {
	bucket := s3test.Start(t)
	environ := append(clitest.InDatabase(t), "CONFAB_PICTURES_URL="+bucket.URL("team"),
		"CONFAB_PICTURES_KEY="+s3test.Key, "CONFAB_SSH_COMMANDS=ask", "CONFAB_SSH_DISK=4MiB")
	stored := 0
	for host := range 2 {
		s := serve(clitest.NewWorld(t, environ...), []string{"anna"})
		var last clitest.Result
		for made := 0; last.Code == 0 && made < 12; made++ {
			last = s.ask("anna", "", "ask -m sim-image a fox")
		}
		if last.Code != cli.ExitFailed || !strings.Contains(last.Err, "your space of 4.0 MiB is used up") {
			t.Errorf("host %d: status %d, %s", host, last.Code, last.Err)
		}
		n := len(bucket.Objects("team"))
		if n == 0 || host > 0 && n != stored {
			t.Errorf("host %d: %d objects in the bucket, %d before", host, n, stored)
		}
		stored = n
	}
}

// TestHostsCountTogether asks on two hosts with one database until the answers of the day are used up.
func TestHostsCountTogether(t *testing.T) {
	environ := append(clitest.InDatabase(t), "CONFAB_SSH_COMMANDS=ask", "CONFAB_SSH_ANSWERS_A_DAY=3")
	one, two := clitest.NewWorld(t, environ...), clitest.NewWorld(t, environ...)
	first, second := serve(one, []string{"anna"}), serve(two, []string{"anna", "bob"})
	for _, host := range []*runningSSH{first, second, first} {
		if r := host.ask("anna", "", "ask -m phi-2 hello"); r.Code != 0 {
			t.Errorf("%+v", r)
		}
	}
	for _, host := range []*runningSSH{first, second} {
		if r := host.ask("anna", "", "ask -m phi-2 hello"); r.Code != 1 ||
			!strings.Contains(r.Err, "for today is used up") {
			t.Errorf("one more: %+v", r)
		}
	}
	if r := second.ask("bob", "", "ask -m phi-2 hello"); r.Code != 0 {
		t.Errorf("bob pays for anna: %+v", r)
	}
	clitest.WantTexts(t, two.Must(cli.ExitDone, "ssh", "--check").Out, "ok\tdatabase\tpostgres://")
}

// TestAHostIsNotReadyWithoutItsDatabase starts a host whose database refuses it.
func TestAHostIsNotReadyWithoutItsDatabase(t *testing.T) {
	environ := clitest.InDatabase(t)
	ready := func(want string, environ ...string) {
		s := serve(clitest.NewWorld(t, environ...), []string{"anna"}, "--health-listen", "127.0.0.1:0")
		defer s.stop()
		m := regexp.MustCompile(`health is on (http://[0-9.:]+)`).FindStringSubmatch(s.said.String())
		if m == nil {
			t.Fatal(s.said.String())
		}
		clitest.Eventually(t, "/readyz to say "+want, func() bool {
			_, said := getFrom(t, m[1]+"/readyz")
			return strings.Contains(said, want)
		})
	}
	ready("ok", environ...)
	environ[0] = strings.Replace(environ[0], "/confab?", "/another?", 1)
	ready("the database of the history does not answer", environ...)
}
