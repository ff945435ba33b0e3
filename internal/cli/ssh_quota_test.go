package cli

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"

	"confab/history"
	"confab/internal/config"
	"confab/internal/sshserver"
	"confab/service"
	"confab/service/api"
)

// TestSettingsInUseDoNotChange reads the configuration again while what was read before is used.
func TestSettingsInUseDoNotChange(t *testing.T) {
	var cfg config.Config
	cfg.SSH.Disk = 1
	h := &sshHandler{}
	h.setSettings(&cfg)
	used := h.limits.Load()
	cfg.SSH.Disk = 2
	if used.Disk != 1 {
		t.Error("another reading changes it")
	}
	h.setSettings(&cfg)
	if h.limits.Load().Disk != 2 {
		t.Error("the new one is not used")
	}
}

// TestAUserWhoIsDeletedHoldsUpNobodyElse logs in another user while a login waits for the lock of its folder.
func TestAUserWhoIsDeletedHoldsUpNobodyElse(t *testing.T) {
	a := newApp(Env{})
	a.config.Paths.Data = t.TempDir()
	h := &sshHandler{app: a, users: map[string]*sharedUser{}}
	open := func(id string) (*userState, error) { return h.openUser(t.Context(), sshserver.User{ID: id}) }
	anna, err := open("anna")
	must(t, err)
	must(t, anna.endSession())
	deletion := flock.New(filepath.Join(anna.folder, userLockFile))
	if locked, err := deletion.TryLock(); err != nil || !locked {
		t.Fatalf("the folder stays locked (%v)", err)
	}
	defer deletion.Close()
	synctest.Test(t, func(t *testing.T) {
		refused := make(chan error)
		go func() {
			_, err := open("anna")
			refused <- err
		}()
		synctest.Wait() // until it waits for the lock
		began := time.Now()
		bob, err := open("bob")
		if err != nil || time.Since(began) > 0 {
			t.Errorf("the other user logged in after %s, %v", time.Since(began), err)
		}
		if err := bob.endSession(); err != nil {
			t.Error(err)
		}
		if err := <-refused; api.CodeOf(err) != api.CodeUsage {
			t.Errorf("the user who is being deleted: %v", err)
		}
	})
}

// sizedStore is a history of which a database says how much it takes.
type sizedStore struct {
	history.Store
	bytes int64
}

func (s *sizedStore) Size(context.Context) (int64, error) { return s.bytes, nil }

func TestAQuotaGivesBackOnce(t *testing.T) {
	settings := func() *config.SSH { return &config.SSH{AnswersADay: 100, Disk: 1 << 30} }
	memory, err := openMemory(t.Context())
	must(t, err)
	store := &sizedStore{memory, 1 << 29}
	q := &quota{folder: t.TempDir(), limits: settings,
		open: func(context.Context) (history.Store, error) { return store, nil }}
	q.begin()
	var said strings.Builder
	used := func() int {
		t.Helper()
		n, err := memory.CountAnswers(t.Context(), time.Now().UTC().Format(time.DateOnly), 0, 0)
		must(t, err)
		return n
	}
	var quotas service.Quota = sessionQuota{q, slog.New(slog.NewTextHandler(&said, nil))}
	for turn := range int64(2) {
		began, err := quotas.ReserveAnswers(30)
		must(t, err)
		began(turn + 1)
	}
	if _, err := quotas.ReserveAnswers(41); api.CodeOf(err) != api.CodeQuota || used() != 60 {
		t.Errorf("more than are left: %v, %d used", err, used())
	}
	if err := quotas.CheckAnswers(41); api.CodeOf(err) != api.CodeQuota || used() != 60 {
		t.Error(err)
	}
	began, err := quotas.ReserveAnswers(40)
	must(t, err)
	began(0)
	if used() != 60 || strings.Count(said.String(), "msg=Asked") != 2 || strings.Contains(said.String(), "WARN") {
		t.Errorf("%d used after 40 that could not be recorded; the log is %s", used(), &said)
	}
	quotas.Release(10)
	if used() != 50 {
		t.Errorf("%d used", used())
	}
	if err := quotas.ReserveBytes(1 << 29); err != nil {
		t.Error(err)
	}
	if err := quotas.ReserveBytes(1); api.CodeOf(err) != api.CodeDisk {
		t.Errorf("a byte more than there is room for, with the rows of the database: %v", err)
	}
	if err := q.close(); err != nil || q.store != nil {
		t.Errorf("the history stays open: %v", err)
	}
	opened := 0
	q.open = func(ctx context.Context) (history.Store, error) {
		opened++
		return openMemory(ctx)
	}
	quotas.Release(10) // by an answer that has ended after the last session
	if opened != 1 || q.store != nil {
		t.Errorf("opened %d times, and left open: %t", opened, q.store != nil)
	}
}

// TestWhatWasDeletedIsFree has a full history of which something is deleted.
func TestWhatWasDeletedIsFree(t *testing.T) {
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		store := &sizedStore{bytes: 100}
		q := &quota{folder: folder, open: func(context.Context) (history.Store, error) { return store, nil },
			limits: func() *config.SSH { return &config.SSH{Disk: 100} }}
		q.begin()
		if err := q.reserveBytes(t.Context(), 1); api.CodeOf(err) != api.CodeDisk {
			t.Errorf("a full history: %v", err)
		}
		store.bytes = 50
		time.Sleep(folderMeasureInterval)
		if err := q.reserveBytes(t.Context(), 1); err != nil {
			t.Errorf("a second after something was deleted: %v", err)
		}
	})
}

// TestNothingIsAskedThatCannotBeCounted has a history that cannot be opened, and then can.
func TestNothingIsAskedThatCannotBeCounted(t *testing.T) {
	away := true
	q := &quota{folder: t.TempDir(), open: func(ctx context.Context) (history.Store, error) {
		if away {
			return nil, errors.New("away")
		}
		return openMemory(ctx)
	}, limits: func() *config.SSH { return &config.SSH{AnswersADay: 2, Disk: 1 << 20} }}
	q.begin()
	s := sessionQuota{q, slog.New(slog.DiscardHandler)}
	defer q.close()
	if _, err := s.ReserveAnswers(1); api.CodeOf(err) != api.CodeStore {
		t.Errorf("got %v", err)
	}
	away = false
	for i, want := range []api.Code{"", "", api.CodeQuota} {
		if _, err := s.ReserveAnswers(1); api.CodeOf(err) != want {
			t.Errorf("answer %d: %v", i, err)
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
