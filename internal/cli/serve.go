package cli

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"confab/service/api"
	"confab/service/engine/offline"
	"confab/service/server"
	"confab/ui/terminal"
)

// serveFlags are those of serve.
type serveFlags struct {
	addr    string
	keys    []string
	keyFile string
	quiet   bool
}

func (a *app) serveCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the embedded service over HTTP, for other programs",
		Long: `Serve the embedded service over HTTP until ctrl+c. Its answers are simulated by the offline engine.

Without a key any that is not empty is accepted, on loopback only. Keys on the command line can be read by every user of this machine; --key-file holds one per line and must be readable by its owner only. One line per request goes to standard error.`,
		Example: "confab serve\nconfab serve --addr 127.0.0.1:8080 --key-file keys.txt",
		Args:    a.noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.begin(cmd.Context(), cmd, nil); err != nil {
				return err
			}
			return a.runServe(cmd.Context(), f)
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.addr, "addr", "127.0.0.1:4141", "listen on this `HOST:PORT`; port 0 takes a free one")
	fl.StringArrayVar(&f.keys, "key", nil, "accept this `KEY` (repeatable)")
	fl.StringVar(&f.keyFile, "key-file", "", "accept the keys in this `FILE`, one per line")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "print no line per request")
	return cmd
}

// runServe serves until a signal ends it.
func (a *app) runServe(ctx context.Context, f serveFlags) error {
	keys, err := f.accepted()
	if err != nil {
		return err
	}
	a.secrets.add(keys...)
	host, _, err := net.SplitHostPort(f.addr)
	if err != nil {
		return usage("--addr takes host:port, such as 127.0.0.1:4141")
	}
	local := host == "localhost" || net.ParseIP(host).IsLoopback()
	if !local && len(keys) == 0 {
		return usage("%s can be reached from other machines; give it a key with --key-file", terminal.Line(f.addr))
	}
	catalogue, err := a.catalogue()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(maskedWriter{a}, nil))
	if f.quiet {
		log = slog.New(slog.DiscardHandler)
	}
	srv, err := server.New(server.Options{
		Engine:    offline.New(offline.Options{Speed: a.env.Speed, Log: log}),
		Catalogue: catalogue, Keys: keys, Log: log, Fetch: server.Fetch{AllowLoopback: local},
	})
	if err != nil {
		return fmt.Errorf("make the service: %w", err)
	}
	ctx, stop := a.interruptible(ctx)
	defer stop()
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.addr)
	if err != nil {
		return &api.Error{Code: api.CodeNetwork, Message: fmt.Sprintf("cannot listen on %s; it may be taken already, or not be of this machine", terminal.Line(f.addr)), Err: err}
	}
	a.say(fmt.Sprintf("confab serves simulated answers on http://%s; ctrl+c ends it", l.Addr()))
	if len(keys) == 0 {
		a.say("any key that is not empty is accepted")
	}
	if err := srv.Serve(ctx, l); err != nil {
		return &api.Error{Code: api.CodeService, Message: "serving ended unexpectedly", Err: err}
	}
	return nil
}

// accepted returns the keys of the flags.
func (f serveFlags) accepted() ([]string, error) {
	keys := f.keys
	if f.keyFile != "" {
		info, err := os.Stat(f.keyFile)
		if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			return nil, &api.Error{Code: api.CodeConfig, Message: fmt.Sprintf("the key file %s can be read by others on this machine: run chmod 600 on it", terminal.Line(f.keyFile)), Err: fs.ErrPermission}
		}
		b, err := readBounded(f.keyFile, 1<<20)
		if err != nil {
			return nil, err
		}
		n := len(keys)
		for line := range strings.SplitSeq(string(b), "\n") {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				keys = append(keys, line)
			}
		}
		if len(keys) == n {
			return nil, usage("the key file %s holds no key", terminal.Line(filepath.Base(f.keyFile)))
		}
	}
	for _, k := range keys {
		if strings.TrimSpace(k) == "" {
			return nil, usage("an accepted key must not be empty")
		}
	}
	return keys, nil
}

// maskedWriter writes lines of a log to standard error.
type maskedWriter struct{ a *app }

// Write implements [io.Writer]; each write is a whole line.
func (w maskedWriter) Write(line []byte) (int, error) {
	w.a.say(terminal.Line(string(line)))
	return len(line), nil
}
