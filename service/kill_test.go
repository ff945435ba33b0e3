package service_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/internal/redact"
	"confab/internal/s3test"
	"confab/internal/testflags"
	"confab/internal/testserver"
	"confab/service"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/pictures/s3"
)

// kills returns the number of processes to kill; CONFAB_TEST_KILLS overrides it.
func kills() int {
	if more, err := strconv.Atoi(os.Getenv("CONFAB_TEST_KILLS")); err == nil {
		return more
	}
	if !testflags.IsLong() {
		return 3
	}
	return 15
}

// slowService answers the contract with a delay and records requests.
type slowService struct {
	mu   sync.Mutex
	seen map[string]int // by "model prompt"
}

func (s *slowService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct{ Prompt, Nonce string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, "bad", http.StatusBadRequest)
		return
	}
	model := filepath.Base(r.URL.Path)
	s.mu.Lock()
	s.seen[model+" "+body.Prompt]++
	s.mu.Unlock()
	select {
	case <-time.After(rand.N(20 * time.Millisecond)):
	case <-r.Context().Done():
		return
	}
	if strings.Contains(r.URL.Path, "/generative/") {
		w.Header().Set("Content-Type", "image/png")
		w.Write(samplePNG(body.Prompt))
		return
	}
	fmt.Fprintf(w, `{"status":200,"data":{"text":%q,"model":%q}}`, "about "+body.Prompt, model)
}

// childRoles are the roles of processes that tests kill, with a service on the folder of the test.
var childRoles = map[string]func(t *testing.T, s *service.Service, dir string){
	"send": childSends, "upload": childUploads, "purge": childPurges, "run": childRuns,
}

// TestChild is the process that is killed.
func TestChild(t *testing.T) {
	role := childRoles[os.Getenv("CONFAB_TEST_ROLE")]
	if role == nil {
		t.Skip("only as a child of another test")
	}
	dir, bucket := os.Getenv("CONFAB_TEST_DIR"), strings.Fields(os.Getenv("CONFAB_TEST_BUCKET"))
	role(t, serviceAt(dir, os.Getenv("CONFAB_TEST_URL"), time.Now, bucket...), dir)
}

// childSends sends turns until it is killed and prints every answer that it would show as done.
func childSends(t *testing.T, s *service.Service, _ string) {
	must(t, errorOf(s.Start(t.Context())))
	for n := 0; ; n++ {
		prompt := fmt.Sprintf("p%d-%d", os.Getpid(), n)
		turn, events, err := s.Send(t.Context(),
			service.Prompt{SessionName: "kills", Text: prompt, Models: []string{"delta", "sim-image", "zeta"}})
		must(t, err)
		fmt.Printf("sent %d\n", turn.ID)
		for e := range events {
			switch {
			case e.Answer.State == history.Done && e.Answer.Failure == nil:
				fmt.Printf("done %d\n", e.Answer.ID)
			case e.Answer.State.HasEnded():
				fmt.Printf("trouble %s %+v\n", e.Answer.State, e.Answer.Failure)
			}
		}
	}
}

func serviceAt(dir, url string, now func() time.Time, bucket ...string) *service.Service {
	o := service.Options{
		History: service.HistoryOptions{OpenMemory: openMemory, Saves: true,
			Open: func(ctx context.Context) (history.Store, error) {
				return sqlite.Open(ctx, filepath.Join(dir, "history.db"), sqlite.Options{})
			}},
		Backend: service.BackendOptions{
			Catalogue: api.Default,
			Connect: func(context.Context) (service.Connection, error) {
				c, err := api.NewClient(api.Options{BaseURL: url, APIKey: sentinel})
				return service.Connection{Client: c}, err
			},
		},
		Pictures:    pictures.Options{Folder: filepath.Join(dir, "pictures")},
		DraftFolder: filepath.Join(dir, "drafts"),
		Mask:        redact.NewMasker(sentinel), Now: now,
	}
	for _, address := range bucket {
		b, err := s3.New(s3.Options{URL: address,
			Key: func(context.Context) (string, error) { return s3test.Key, nil }})
		if err != nil {
			panic(err)
		}
		o.Pictures.Bucket = b
	}
	return service.New(o)
}

// child is a process that sends until it is killed.
type child struct {
	cmd   *exec.Cmd
	lines chan []string
	first chan struct{} // closed at its first output
}

// startChild starts a process in a role. The address of a bucket may follow that of the service.
func startChild(t *testing.T, role, dir, url string, bucket ...string) *child {
	t.Helper()
	c := &child{cmd: exec.Command(os.Args[0], "-test.run=^TestChild$"), lines: make(chan []string, 1),
		first: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), "CONFAB_TEST_ROLE="+role, "CONFAB_TEST_DIR="+dir, "CONFAB_TEST_URL="+url,
		"CONFAB_TEST_BUCKET="+strings.Join(bucket, " "))
	c.cmd.Stderr = os.Stderr
	out, err := c.cmd.StdoutPipe()
	must(t, err)
	must(t, c.cmd.Start())
	go func() {
		var lines []string
		once := sync.OnceFunc(func() { close(c.first) })
		defer once()
		for in := bufio.NewReader(out); ; {
			line, err := in.ReadString('\n')
			if err != nil { // incomplete output was not shown
				if err != io.EOF {
					lines = append(lines, "trouble reading "+err.Error())
				}
				c.lines <- lines
				return
			}
			lines = append(lines, strings.TrimSpace(line))
			once()
		}
	}()
	return c
}

// kill kills the process and returns what it had shown.
func (c *child) kill(t *testing.T) []string {
	t.Helper()
	must(t, c.cmd.Process.Kill())
	lines := <-c.lines
	_ = c.cmd.Wait() // "signal: killed" is expected
	return lines
}

func TestKill(t *testing.T) {
	t.Parallel() // it mostly waits
	n := kills()
	dir := t.TempDir()
	service := &slowService{seen: map[string]int{}}
	server := httptest.NewServer(testserver.Strict(t, service))
	defer server.Close()
	shown := map[string]bool{}
	for killed := 0; killed < n; {
		// Every third time two processes use the store.
		children := []*child{startChild(t, "send", dir, server.URL)}
		if killed%3 == 2 {
			children = append(children, startChild(t, "send", dir, server.URL))
		}
		for _, c := range children {
			<-c.first
		}
		for _, c := range children {
			<-time.After(rand.N(150 * time.Millisecond))
			for _, line := range c.kill(t) {
				if !strings.HasPrefix(line, "sent ") && !strings.HasPrefix(line, "done ") {
					t.Errorf("a process said %q", line)
				}
				shown[line] = true
			}
			killed++
		}
	}
	server.Close() // the following must not send again

	after, found := recoverKilled(t, dir, server.URL, 2*time.Minute)
	if len(found.Orphans) > 0 {
		t.Errorf("pictures without a row: %v", found.Orphans)
	}
	checkIntegrity(t, dir)
	turns := checkRows(t, after, service, shown)
	checkFiles(t, dir, turns)
	t.Logf("killed %d processes, %d turns, %+v", n, len(turns), found)
	must(t, after.Close(t.Context()))
	if found := grep(t, dir, sentinel); len(found) > 0 {
		t.Errorf("the key is in %v", found)
	}
}

// recoverKilled starts a service on the data of killed processes some time later.
func recoverKilled(t *testing.T, dir, url string, later time.Duration, bucket ...string) (*service.Service,
	service.StartReport) {
	t.Helper()
	after := serviceAt(dir, url, func() time.Time { return time.Now().Add(later) }, bucket...)
	found, err := after.Start(t.Context())
	if err != nil || found.Problem != nil {
		t.Fatalf("start: %+v, %v", found, err)
	}
	return after, found
}

// checkIntegrity checks the store in a folder.
func checkIntegrity(t *testing.T, dir string) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "history.db"), sqlite.Options{})
	must(t, err)
	must(t, errors.Join(store.Check(t.Context()), store.Close()))
}

// checkRows checks that nothing sent or shown is lost or duplicated.
func checkRows(t *testing.T, s *service.Service, service *slowService, shown map[string]bool) []history.Turn {
	t.Helper()
	session, err := s.SessionNamed(t.Context(), "kills")
	must(t, err)
	var turns []history.Turn
	rows := map[string]int{}
	if err := s.EachTurn(t.Context(), session.ID, func(turn history.Turn) error {
		turns = append(turns, turn)
		delete(shown, fmt.Sprintf("sent %d", turn.ID))
		for _, a := range turn.Answers {
			rows[a.Model+" "+turn.Prompt]++
			switch a.State {
			case history.Done:
				delete(shown, fmt.Sprintf("done %d", a.ID))
				// an adopted picture has none
				if _, _, err := s.Exchange(t.Context(), a.ID); err != nil && a.Kind != history.KindImage {
					t.Errorf("answer %d is done without an exchange: %v", a.ID, err)
				}
				if a.Kind == history.KindText && a.Text != "about "+turn.Prompt {
					t.Errorf("answer %d says %q", a.ID, a.Text)
				}
			case history.Interrupted:
			default:
				t.Errorf("answer %d is %s %+v", a.ID, a.State, a.Failure)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for line := range shown {
		t.Errorf("%q was shown and is lost", line)
	}
	for asked, times := range service.seen {
		if times != 1 || rows[asked] != 1 {
			t.Errorf("%q was asked %d times and has %d rows", asked, times, rows[asked])
		}
	}
	return turns
}

// checkFiles checks that rows and files match.
func checkFiles(t *testing.T, dir string, turns []history.Turn) {
	t.Helper()
	want := map[string]bool{".counter": true}
	for _, turn := range turns {
		for _, a := range turn.Answers {
			if a.Picture == nil {
				continue
			}
			b, err := os.ReadFile(a.Picture.Path)
			if err != nil || !isReceived(b, a.Picture.SHA256) {
				t.Errorf("answer %d names %s: %v", a.ID, a.Picture.Path, err)
			}
			name := filepath.Base(a.Picture.Path)
			want[name], want[provenanceOf(name)] = true, true
		}
	}
	entries, err := os.ReadDir(filepath.Join(dir, "pictures"))
	must(t, err)
	for _, e := range entries {
		if !want[e.Name()] {
			t.Errorf("%s belongs to no row", e.Name())
		}
		delete(want, e.Name())
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
}
