package servers

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"confab/history/sqlite"
	"confab/internal/config"
	"confab/internal/sshserver"
	"confab/service"
	"confab/service/accounts"
	"confab/service/api"
)

// brokenDatabase is a database of accounts that is away.
type brokenDatabase struct{}

func (brokenDatabase) Transact(context.Context, func(*sql.Tx) error) error { return errors.New("away") }

// TestAnswersAreGrantedWithoutAccounts counts an answer and cannot keep the group: nothing is counted in vain.
func TestAnswersAreGrantedWithoutAccounts(t *testing.T) {
	settings := &config.SSH{AnswersADay: 2, TurnsAtOnce: 5, Disk: 1 << 20}
	q := newQuota(accounts.New(accounts.Options{}), brokenDatabase{}, t.TempDir()).
		newServiceQuota(func() *config.SSH { return settings }, sshserver.User{ID: "anna"}, func(error) {})
	for range 2 {
		if _, err := q.ReserveAnswers(1, true); err != nil {
			t.Error(err)
		}
	}
}

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

func TestAQuotaGivesBackOnce(t *testing.T) {
	settings := func() *config.SSH { return &config.SSH{TurnsAtOnce: 2, AnswersADay: 100, Disk: 1 << 30} }
	db, err := sqlite.OpenFile(t.Context(), sqlite.Memory, accounts.Schema)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	q := newQuota(accounts.New(accounts.Options{Database: db, IsExact: true}), db, t.TempDir())
	refusals := 0
	s := q.newServiceQuota(settings, sshserver.User{}, func(error) { refusals++ })
	used := func() int64 {
		t.Helper()
		all, err := accounts.ReadUse(t.Context(), db, q.subject, false, time.Now())
		if err != nil || len(all) != 1 {
			t.Fatalf("%v, %v", all, err)
		}
		return all[0].Answers
	}
	var quotas service.Quota = s
	for turn := range int64(2) {
		began, err := quotas.ReserveAnswers(30, true)
		if err != nil {
			t.Fatal(err)
		}
		began(turn + 1)
	}
	if _, err := quotas.ReserveAnswers(1, true); api.CodeOf(err) != api.CodeRateLimited {
		t.Error(err)
	}
	if _, err := quotas.ReserveAnswers(41, false); api.CodeOf(err) != api.CodeQuota || used() != 60 {
		t.Errorf("more than are left: %v, %d used", err, used())
	}
	if err := quotas.CheckAnswers(41); api.CodeOf(err) != api.CodeQuota || refusals != 2 {
		t.Error(err)
	}
	began, err := quotas.ReserveAnswers(40, false)
	if err != nil {
		t.Fatal("a call of a run needs no place:", err)
	}
	began(0)
	if used() != 60 {
		t.Errorf("%d used after 40 that could not be recorded", used())
	}
	quotas.Release(1, 10)
	quotas.Release(1, 0)
	quotas.Release(77, 0)
	if q.running != 1 || used() != 50 {
		t.Errorf("%d run, %d used", q.running, used())
	}
	if began, err = quotas.ReserveAnswers(1, true); err != nil {
		t.Fatal(err)
	}
	s.close()
	began(5) // recorded while the service closed
	if q.running != 0 || used() != 51 {
		t.Errorf("%d run after the end, %d used", q.running, used())
	}
	if err := quotas.ReserveBytes(1 << 30); err != nil {
		t.Error(err)
	}
	if err := quotas.ReserveBytes(1); api.CodeOf(err) != api.CodeDisk {
		t.Errorf("a byte more than there is room for: %v", err)
	}
}
