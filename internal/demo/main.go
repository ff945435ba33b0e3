//go:build !windows

// Command demo writes the pictures of the README, and a recording of the screen as an asciinema cast, from the real
// program. It builds confab and runs it on a terminal emulator, with the built-in engine and without a network. It is
// started in the root folder of the module.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	out := flag.String("o", filepath.Join("docs", "pictures"), "write the files to this `FOLDER`")
	flag.Parse()
	if err := record(*out); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// record builds confab and plays every scene in one home, so that later scenes find what earlier ones left.
func record(out string) error {
	work, err := os.MkdirTemp("", "confab-demo-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer os.RemoveAll(work)
	if err := os.MkdirAll(out, 0o755); err != nil {
		return fmt.Errorf("make the folder of the pictures: %w", err)
	}
	program, home := filepath.Join(work, "confab"), filepath.Join(work, "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		return fmt.Errorf("make a home: %w", err)
	}
	build := exec.Command("go", "build", "-o", program, ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build confab: %w", err)
	}
	for _, s := range scenes {
		if err := play(s, program, home, out); err != nil {
			return fmt.Errorf("scene %s: %w", s.name, err)
		}
	}
	return nil
}
