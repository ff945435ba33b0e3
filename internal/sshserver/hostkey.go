package sshserver

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	gossh "golang.org/x/crypto/ssh"

	"confab/internal/regularfile"
)

// hostKey returns the signer by which clients know the server, and whether its key was just made. A key that others
// could have read or replaced is refused. account is the user id that runs the server.
func hostKey(path string, account int) (signer gossh.Signer, made bool, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeHostKey(path); err != nil {
			return nil, false, err
		}
		made = true
		info, err = os.Lstat(path)
	}
	switch {
	case err != nil:
		return nil, made, fmt.Errorf("the host key %w", cannotRead(path, err))
	case !info.Mode().IsRegular():
		return nil, made, fmt.Errorf("the host key %s is not a file", path)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, made, fmt.Errorf("the host key %s can be read by others on this machine, who could pose as this server: "+
			"run chmod 600 on it, and better still move it away so that a new one is made", path)
	}
	if _, _, err := trustedPath(path, account); err != nil {
		return nil, made, fmt.Errorf("the host key %s could be replaced by others on this machine: %w", path, err)
	}
	pem, err := regularfile.Read(path, maxHostKey)
	if err != nil {
		return nil, made, fmt.Errorf("the host key %w", cannotRead(path, err))
	}
	signer, err = parseHostKey(path, pem)
	return signer, made, err
}

// maxHostKey bounds the file of a host key.
const maxHostKey = 1 << 20

// makeHostKey writes a new key for its owner only, whole or not at all.
func makeHostKey(path string) error {
	failed := func(err error) error { return fmt.Errorf("the host key %s cannot be made: %w", path, err) }
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return failed(err)
	}
	block, err := gossh.MarshalPrivateKey(key, "confab")
	if err != nil {
		return failed(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return failed(err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".host-key-*") // 0600
	if err != nil {
		return failed(err)
	}
	_, err = f.Write(pem.EncodeToMemory(block))
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Link(f.Name(), path) // unlike a rename it replaces nothing
	}
	if removing := os.Remove(f.Name()); err == nil {
		err = removing
	}
	if err != nil && !errors.Is(err, fs.ErrExist) { // another server was quicker
		return failed(err)
	}
	return nil
}
