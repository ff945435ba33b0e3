// Package s3test starts versitygw for tests, an S3-compatible server that stores objects as files. It removes all its
// files.
package s3test

import (
	"bytes"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Key is the access key of every server.
const Key = "s3test-id:s3test-secret-0123456789"

// howToInstall explains how to install the version of .ci/run.
const howToInstall = "versitygw is not installed: " +
	"GOBIN=$PWD/.bin go install github.com/versity/versitygw/cmd/versitygw@v1.8.0"

// startTimeout bounds how long the server may take to start.
const startTimeout = 20 * time.Second

// Server is a running versitygw with one bucket.
type Server struct {
	t       testing.TB
	program string
	folder  string
	address string
	process *exec.Cmd
	output  bytes.Buffer
}

// Start starts a server that stops at the end of the test. It skips the test if versitygw is neither on the path nor
// in the module's folder .bin.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t, program: findProgram(), folder: t.TempDir()}
	if s.program == "" {
		t.Skip(howToInstall)
	}
	for _, folder := range []string{"objects/bucket", "metadata"} {
		if err := os.MkdirAll(filepath.Join(s.folder, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	s.Up()
	return s
}

func findProgram() string {
	if path, err := exec.LookPath("versitygw"); err == nil {
		return path
	}
	for folder := "."; ; folder = filepath.Join("..", folder) {
		absolute, err := filepath.Abs(folder)
		if err != nil || absolute == filepath.Dir(absolute) {
			return ""
		}
		if _, err := os.Stat(filepath.Join(absolute, "go.mod")); err == nil {
			path, _ := exec.LookPath(filepath.Join(absolute, ".bin", "versitygw")) // "" if it does not exist
			return path
		}
	}
}

// Up starts a stopped server and returns when it listens.
func (s *Server) Up() {
	s.t.Helper()
	id, secret, _ := bytes.Cut([]byte(Key), []byte(":"))
	s.process = exec.Command(s.program, "--port", s.address, "posix", "--sidecar", filepath.Join(s.folder, "metadata"),
		filepath.Join(s.folder, "objects"))
	s.process.Env = []string{"ROOT_ACCESS_KEY=" + string(id), "ROOT_SECRET_KEY=" + string(secret)}
	s.process.Stdout, s.process.Stderr = &s.output, &s.output
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	retry, deadline := time.NewTicker(5*time.Millisecond), time.After(startTimeout)
	defer retry.Stop()
	for {
		connection, err := net.Dial("tcp", s.address)
		if err == nil {
			_ = connection.Close() // it only checked that the server listens
			return
		}
		select {
		case <-retry.C:
		case <-deadline:
			s.Stop()
			s.t.Fatalf("versitygw does not listen: %v\n%s", err, s.output.String())
		}
	}
}

// Stop kills the server. [Server.Up] restores its objects.
func (s *Server) Stop() {
	if s.process == nil {
		return
	}
	_ = s.process.Process.Kill()
	_ = s.process.Wait() // it was killed
	s.process = nil
}

// URL returns the address of a prefix of the bucket in the form of confab's configuration.
func (s *Server) URL(prefix string) string {
	return "s3://bucket/" + prefix + "?endpoint=http://" + s.address + "&region=us-east-1"
}

// Objects returns the contents of the objects with a prefix by name.
func (s *Server) Objects(prefix string) map[string][]byte {
	s.t.Helper()
	found := map[string][]byte{}
	root := s.Path(prefix)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && entry.Name() == ".sgwtmp" { // parts of uploads
			return fs.SkipDir
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		found[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return found
}

// Path returns the file of an object.
func (s *Server) Path(name string) string {
	return filepath.Join(s.folder, "objects", "bucket", filepath.FromSlash(name))
}
