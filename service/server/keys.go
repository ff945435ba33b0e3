package server

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"confab/internal/fileio"
)

// maxKeyFile bounds the file of a key.
const maxKeyFile = 1 << 20

// keyPrefix begins every key, so that scanners for leaked keys and people know what it is.
const keyPrefix = "confab_"

// Client is whom a key was made for. The key itself is not kept, only its SHA-256: it holds over 250 random bits, so
// nothing slower is needed.
type Client struct {
	ID       string    `json:"id"` // of the key, to revoke it by
	Name     string    `json:"name"`
	Hash     string    `json:"sha256"`
	Created  time.Time `json:"created"`
	Rate     int       `json:"rate,omitempty"`     // requests a minute; 0: the server's, below 0: no limit
	Parallel int       `json:"parallel,omitempty"` // requests at a time; the same
}

// Keys are the keys in a folder, a file for each: made, listed and revoked by one program while another serves with
// them. It is safe for concurrent use.
type Keys struct {
	folder string
	now    func() time.Time

	mu     sync.Mutex
	byHash map[[32]byte]Client
	looked time.Time
	readAt time.Time // when they were last known to be up to date
}

// NewKeys returns the keys in a folder, which need not be there yet.
func NewKeys(folder string) *Keys { return &Keys{folder: folder, now: time.Now} }

// keysInterval is how long a change in the folder may go unnoticed.
const keysInterval = 2 * time.Second

// keysGrace is how long keys stay accepted while the folder cannot be read. After that nobody is let in: a key may have
// been revoked meanwhile.
const keysGrace = time.Minute

// Create makes a key and returns it, for this once.
func (k *Keys) Create(c Client) (key string, made Client, err error) {
	if c.Name = strings.TrimSpace(c.Name); c.Name == "" || len(c.Name) > 100 {
		return "", c, errors.New("a key needs a name of 1 to 100 characters")
	}
	if err := os.MkdirAll(k.folder, 0o700); err != nil {
		return "", c, fmt.Errorf("make the folder of keys: %w", err)
	}
	key = keyPrefix + rand.Text() + rand.Text()
	hash := hashOf(key)
	c.ID, c.Hash = strings.ToLower(rand.Text()[:8]), hex.EncodeToString(hash[:])
	c.Created = k.now().UTC().Truncate(time.Second)
	b, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return "", c, fmt.Errorf("write key: %w", err)
	}
	if err := fileio.Write(filepath.Join(k.folder, c.ID+".json"), append(b, '\n'), 0o600); err != nil {
		return "", c, fmt.Errorf("write key: %w", err)
	}
	return key, c, nil
}

// List returns whom keys were made for, the oldest first. The error also tells of files that are no key's; the keys of
// the other files are returned with it.
func (k *Keys) List() ([]Client, error) {
	all, broken, err := k.list()
	return all, errors.Join(err, broken)
}

// list returns the keys that can be used, why others cannot, and why the folder cannot be read.
func (k *Keys) list() (all []Client, broken, err error) {
	entries, err := os.ReadDir(k.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("list keys: %w", err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || !strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		b, err := fileio.Read(filepath.Join(k.folder, e.Name()), maxKeyFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue // revoked meanwhile
		}
		if err != nil {
			return nil, nil, fmt.Errorf("list keys: %w", err)
		}
		var c Client
		err = json.Unmarshal(b, &c)
		if hash, wrong := hex.DecodeString(c.Hash); err != nil || wrong != nil || len(hash) != 32 ||
			c.ID+".json" != e.Name() {
			broken = errors.Join(broken, fmt.Errorf("list keys: %s is not a key's file", e.Name()))
			continue
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b Client) int {
		return cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.ID, b.ID))
	})
	return all, broken, nil
}

// Revoke takes back the keys of an id or name and returns whose they were. A server notices within two seconds.
func (k *Keys) Revoke(which string) ([]Client, error) {
	all, _, err := k.list() // a broken file must not keep another's key from being taken back
	if err != nil {
		return nil, err
	}
	var gone []Client
	for _, c := range all {
		if c.ID != which && c.Name != which {
			continue
		}
		if err := os.Remove(filepath.Join(k.folder, c.ID+".json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return gone, fmt.Errorf("revoke key: %w", err)
		}
		gone = append(gone, c)
	}
	return gone, nil
}

// find returns whom the key of a hash was made for. The look-up is by hash, so that its time tells nothing of the keys
// there are. The error says that the keys could not be read for longer than keysGrace.
func (k *Keys) find(hash [32]byte) (Client, bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if now := k.now(); k.byHash == nil || now.Sub(k.looked) >= keysInterval {
		k.looked = now
		if err := k.read(); err == nil {
			k.readAt = now
		} else if k.byHash == nil || now.Sub(k.readAt) > keysGrace {
			k.byHash = nil
			return Client{}, false, err
		}
	}
	c, ok := k.byHash[hash]
	return c, ok, nil
}

// read reads all keys. A file that is no key's is passed over: it must not keep a revoked key in use. k.mu is held.
func (k *Keys) read() error {
	all, _, err := k.list()
	if err != nil {
		return err
	}
	k.byHash = make(map[[32]byte]Client, len(all))
	for _, c := range all {
		hash, _ := hex.DecodeString(c.Hash) // checked by list
		k.byHash[[32]byte(hash)] = c
	}
	return nil
}
