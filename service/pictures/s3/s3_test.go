package s3_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"confab/internal/s3test"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/pictures/s3"
)

func open(t *testing.T, server *s3test.Server, key string) s3.Bucket {
	t.Helper()
	b, err := s3.New(
		s3.Options{URL: server.URL("team"), Key: func(context.Context) (string, error) { return key, nil }},
	)
	must(t, err)
	return b
}

func names(t *testing.T, b s3.Bucket, folder string) (found []string) {
	t.Helper()
	for object, err := range b.List(t.Context(), folder) {
		must(t, err)
		found = append(found, object.Name)
	}
	return found
}

func TestObjectsAreWrittenOnceAndReadAsTheyWere(t *testing.T) {
	server := s3test.Start(t)
	b := open(t, server, s3test.Key)
	for name, content := range map[string][]byte{"fox.png": []byte("a fox"), "large.jpg": large(),
		"fox.json": []byte("{}")} {
		for range 2 { // a killed process uploads again
			if err := b.Put(t.Context(), name, content); err != nil {
				t.Fatalf("put %s: %v", name, err)
			}
		}
		if got, err := b.Get(t.Context(), name, 65<<20); err != nil || !bytes.Equal(got, content) {
			t.Errorf("got %d bytes of %s, %v", len(got), name, err)
		}
		if err := b.Put(t.Context(), name, []byte("another")); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s was written over: %v", name, err)
		}
	}
	must(t, b.Within("users/ann").Put(t.Context(), "hen.png", []byte("a hen")))
	if got := names(t, b, ""); !slices.Equal(got, []string{"fox.json", "fox.png", "large.jpg"}) {
		t.Errorf("listed %q", got)
	}
	if got := names(t, b, "users/ann/"); !slices.Equal(got, []string{"users/ann/hen.png"}) {
		t.Errorf("listed %q of the folder", got)
	}
	if _, err := b.Get(t.Context(), "large.jpg", 1<<20); err == nil {
		t.Error("more was read than the limit")
	}
	for range 2 {
		if err := b.Remove(t.Context(), "fox.png"); err != nil {
			t.Errorf("remove: %v", err)
		}
	}
	if _, err := b.Get(t.Context(), "fox.png", 100); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a removed object gave %v", err)
	}
}

// large returns an object of 60 MiB.
func large() []byte { return bytes.Repeat([]byte("0123456789abcdef"), 60<<20/16) }

// serve returns a bucket on a server that answers with a function.
func serve(t *testing.T, answer http.HandlerFunc) s3.Bucket {
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	b, err := s3.New(s3.Options{URL: "s3://bucket/team?endpoint=" + server.URL,
		Key: func(context.Context) (string, error) { return s3test.Key, nil }})
	must(t, err)
	return b
}

// Another process writes the object between the question whether it is there and the upload.
func TestAnotherProcessUploadsTheObjectFaster(t *testing.T) {
	for content, wantOK := range map[string]bool{"a fox": true, "another": false} {
		var isThere atomic.Bool
		b := serve(t, func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodHead && isThere.Load():
				w.Header().Set("X-Amz-Meta-Sha256", fmt.Sprintf("%x", sha256.Sum256([]byte(content))))
			case r.Method == http.MethodPut:
				isThere.Store(true)
				w.WriteHeader(http.StatusPreconditionFailed)
			default:
				w.WriteHeader(http.StatusNotFound)
			}
		})
		if err := b.Put(t.Context(), "fox.png", []byte("a fox")); (err == nil) != wantOK || !isThere.Load() {
			t.Errorf("put where the other one has %s: %v", content, err)
		}
	}
}

func TestABusyServerIsAskedOnceMore(t *testing.T) {
	for failures, wantOK := range map[int32]bool{1: true, 2: false} {
		var asked atomic.Int32
		b := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) <= failures {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		})
		if err := b.Remove(t.Context(), "fox.png"); (err == nil) != wantOK || asked.Load() != 2 {
			t.Errorf("after %d failures: asked %d times, %v", failures, asked.Load(), err)
		}
	}
}

func TestTheServerNamesTheRegion(t *testing.T) {
	var regions []string
	b := serve(t, func(w http.ResponseWriter, r *http.Request) {
		regions = append(regions, strings.Split(r.Header.Get("Authorization"), "/")[2])
		if regions[len(regions)-1] != "eu-north-1" {
			w.Header().Set("X-Amz-Bucket-Region", "eu-north-1")
			w.WriteHeader(http.StatusBadRequest)
		}
	})
	for range 2 {
		must(t, b.Remove(t.Context(), "fox.png"))
	}
	if want := []string{"us-east-1", "eu-north-1", "eu-north-1"}; !slices.Equal(regions, want) {
		t.Errorf("asked in %q", regions)
	}
}

func TestAListHasSeveralPages(t *testing.T) {
	b := serve(t, func(w http.ResponseWriter, r *http.Request) {
		key, next := "team/a%20fox.png", "<NextContinuationToken>2 3</NextContinuationToken>"
		if r.URL.Query().Get("continuation-token") == "2 3" {
			key, next = "team/hen.png", ""
		}
		fmt.Fprintf(w, "<ListBucketResult><Contents><Key>team/</Key></Contents><Contents><Key>%s</Key><Size>5</Size>"+
			"<LastModified>2026-11-01T00:00:00.000Z</LastModified></Contents>%s</ListBucketResult>", key, next)
	})
	if got := names(t, b, ""); !slices.Equal(got, []string{"a fox.png", "hen.png"}) {
		t.Errorf("listed %q", got)
	}
}

func TestWhatWasChangedInTheBucketIsNotRead(t *testing.T) {
	server := s3test.Start(t)
	b := open(t, server, s3test.Key)
	must(t, b.Put(t.Context(), "fox.png", []byte("a fox")))
	must(t, os.WriteFile(server.Path("team/fox.png"), []byte("a fix"), 0o600))
	if _, err := b.Get(t.Context(), "fox.png", 100); api.CodeOf(err) != api.CodeBadImage {
		t.Errorf("a changed object gave %v", err)
	}
}

func TestALinkNeedsNoKey(t *testing.T) {
	server := s3test.Start(t)
	b := open(t, server, s3test.Key)
	must(t, b.Put(t.Context(), "fox.png", []byte("a fox")))
	link, err := b.Link(t.Context(), "fox.png", time.Minute)
	must(t, err)
	if _, secret, _ := strings.Cut(s3test.Key, ":"); strings.Contains(link, secret) {
		t.Error("the link holds the secret")
	}
	for address, status := range map[string]int{link: http.StatusOK,
		strings.Split(link, "?")[0]: http.StatusForbidden} {
		response, err := http.Get(address)
		must(t, err)
		body, err := io.ReadAll(response.Body)
		if response.Body.Close(); err != nil || response.StatusCode != status ||
			status == http.StatusOK && string(body) != "a fox" {
			t.Errorf("got status %d, %q, %v", response.StatusCode, body, err)
		}
	}
}

// TestTLS connects to a server whose certificate authority the system does not trust.
func TestTLS(t *testing.T) {
	server := s3test.Start(t)
	plain := server.URL("team")
	endpoint, err := url.Parse("http://" + plain[strings.Index(plain, "http://")+7:strings.Index(plain, "&")])
	must(t, err)
	front := httptest.NewTLSServer(httputil.NewSingleHostReverseProxy(endpoint))
	defer front.Close()
	put := func() error {
		b, err := s3.New(s3.Options{URL: strings.Replace(plain, endpoint.String(), front.URL, 1),
			Key: func(context.Context) (string, error) { return s3test.Key, nil }})
		must(t, err)
		return b.Put(t.Context(), "fox.png", []byte("a fox"))
	}
	if err := put(); err == nil || !strings.Contains(err.Error(), "SSL_CERT_FILE") {
		t.Errorf("without the authority: %v", err)
	}
	authority := filepath.Join(t.TempDir(), "ca.pem")
	block := &pem.Block{Type: "CERTIFICATE", Bytes: front.Certificate().Raw}
	must(t, os.WriteFile(authority, pem.EncodeToMemory(block), 0o600))
	t.Setenv("SSL_CERT_FILE", authority)
	if err := put(); err != nil || len(server.Objects("team")) != 1 {
		t.Errorf("with it: %v, %d objects", err, len(server.Objects("team")))
	}
}

func TestFailuresAreSentencesWithoutTheKey(t *testing.T) {
	server := s3test.Start(t)
	_, secret, _ := strings.Cut(s3test.Key, ":")
	wrong := open(t, server, s3test.Key+"x")
	noKey := open(t, server, "noColon"+secret)
	stopped := open(t, server, s3test.Key)
	check := func(name string, b s3.Bucket, says string) {
		t.Helper()
		_, err := b.Get(t.Context(), "fox.png", 100)
		var known *api.Error
		if !errors.As(err, &known) || !strings.Contains(known.Message, says) ||
			strings.Contains(fmt.Sprint(known, errors.Unwrap(known)), secret) {
			t.Errorf("%s: %v", name, err)
		}
	}
	check("another key", wrong, "does not open the bucket")
	check("half a key", noKey, "a colon and its secret")
	server.Stop()
	check("a server that is down", stopped, "cannot be reached")
	server.Up()
	if err := stopped.Put(t.Context(), "fox.png", []byte("a fox")); err != nil {
		t.Errorf("put after the server is up again: %v", err)
	}
}

func TestAddressesOfBuckets(t *testing.T) {
	for _, address := range []string{"", "bucket", "https://bucket/x", "s3://", "s3://id:secret@bucket/x",
		"s3://bucket/x?endpoint=%zz"} {
		if _, err := s3.New(s3.Options{URL: address}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q gave %v", address, err)
		}
	}
	b, err := s3.New(s3.Options{URL: "s3://bucket/team/?region=eu-central-1"})
	if err != nil || b.Address("fox.png") != "s3://bucket/team/fox.png" {
		t.Errorf("got %s, %v", b.Address("fox.png"), err)
	}
	var _ pictures.Bucket = b
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
