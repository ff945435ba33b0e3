package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/format"
	"confab/internal/safego"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/service/export"
	"confab/service/problem"
	"confab/service/suite"
)

type askFlags struct {
	service.Prompt // what flags say of it as it is
	system         string
	persona        string
	nonce          string
	isSet          func(flag string) bool // on the command line
	images         []string
	files          []string
	restOf         string
	last           bool
	noSave         bool
	timeout        time.Duration
	concurrency    int
	output         string
	json           string // "answers", or "stream" for their parts as well
	params         []string
	variants       []string
	vars           []string
	interleave     bool
	reasoning      bool
	raw            bool
}

func (a *app) askCommand() *cobra.Command {
	f := askFlags{Prompt: service.Prompt{Samples: 1}}
	cmd := &cobra.Command{
		Use:   "ask [flags] [PROMPT]",
		Short: "Send one prompt and print the answers",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkRestOf(cmd.Flags(), args); err != nil {
				return err
			}
			f.isSet = cmd.Flags().Changed
			return a.runAsk(cmd.Context(), args, f)
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVarP(&f.Models, "model", "m", nil, "ask this `SLUG` (repeatable, globs, all-text)")
	fl.StringVar(&f.system, "system", "", "system prompt `TEXT`, or @FILE")
	fl.StringVar(&f.persona, "persona", "", personaUsage)
	fl.StringVar(&f.Aspect, "aspect", "", "aspect ratio `W:H` of pictures")
	fl.StringVar(&f.nonce, "nonce", "", "nonce `S` of pictures: any text, new or none; the same one may return the "+
		"same picture")
	fl.StringArrayVar(&f.images, "image", nil, "edit the picture of this `FILE|URL`, http, https or file, or let a "+
		"text model look at it (repeatable for text models)")
	fl.StringArrayVarP(&f.files, "file", "f", nil, "send this `FILE|GLOB|URL|-` along, a text or a picture "+
		"(repeatable)")
	fl.StringArrayVar(&f.params, "param", nil, "set a parameter of text models, `NAME=VALUE`; A|B asks with each, "+
		"NAME= takes back that of the session or persona (repeatable)")
	fl.StringArrayVar(&f.variants, "variant", nil, "also ask this `TEXT`, or @FILE, in place of PROMPT, and compare "+
		"(repeatable)")
	fl.StringArrayVar(&f.vars, "var", nil, "put values into prompts where {{NAME}} stands, `NAME=VALUE`, @FILE or A|B "+
		"(repeatable)")
	numberVar(fl, &f.Samples, "samples", "", 1, service.MaxSamples, "ask each model `N` times")
	fl.StringVar(&f.SessionName, "session", "", "continue the session of this `NAME`, made if needed")
	fl.BoolVarP(&f.last, "continue", "C", false, "continue the last session, with its models and memory")
	fl.BoolVar(&f.HasContext, "context", true, "send the session's earlier turns along, or not (--context=false)")
	fl.StringVar(&f.restOf, "rest-of", "", "ask for the rest of this `ANSWER` that was cut, such as a56")
	fl.BoolVar(&f.noSave, "no-save", false, "keep nothing in the history")
	timeoutVar(fl, &f.timeout, "give up after `DUR`, such as 90s")
	numberVar(fl, &f.concurrency, "concurrency", "", 1, suite.MaxConcurrency, "at most `N` requests side by side")
	fl.StringVarP(&f.output, "output", "o", "", "write to this `FILE|FOLDER`; never over a file")
	fl.StringVar(&f.json, "json", "", "print one JSON object per answer, as each ends; with `stream` one for each "+
		"part of a text, too")
	fl.Lookup("json").NoOptDefVal = "answers"
	fl.BoolVar(&f.interleave, "interleave", false, "print lines of all answers as they come, each after its model")
	fl.BoolVar(&f.reasoning, "reasoning", false, "also print the reasoning before an answer")
	fl.BoolVar(&f.raw, "raw", false, "print texts as they came, with escape sequences, also to a terminal")
	a.quietFlag(fl, "print nothing but answers and errors")
	a.yesFlag(fl, "make many calls, and publish a local picture, without asking")
	completeFlag(cmd, "json", "stream")
	completeFlag(cmd, "nonce", "new", "none")
	completeFlag(cmd, "aspect", "1:1", "16:9", "9:16", "4:3", "3:4")
	_ = cmd.RegisterFlagCompletionFunc("param", completeParams) // it has the flag
	return cmd
}

// runAsk asks. With --json it also prints an object for a prompt that was refused before it was sent.
func (a *app) runAsk(ctx context.Context, args []string, f askFlags) error {
	wasSent, err := false, f.check()
	if err == nil {
		err = a.ask(ctx, args, f, &wasSent)
	}
	if failure := failureOf(err); failure != nil && (f.json == "answers" || f.json == "stream") && !wasSent {
		if failed := a.printJSON(map[string]any{"state": history.Failed, "error": failure}); failed != nil {
			return failed
		}
	}
	return err
}

// failureOf returns the failure that an [api.Error] stands for; nil for any other error.
func failureOf(err error) *history.Failure {
	var known *api.Error
	if !errors.As(err, &known) {
		return nil
	}
	return &history.Failure{Code: string(known.Code), Message: known.Message}
}

// ask sends the prompt and prints the answers. It sets wasSent once the prompt is recorded.
func (a *app) ask(ctx context.Context, args []string, f askFlags, wasSent *bool) error {
	if f.output == "-" {
		f.output = "" // where answers go anyway
	}
	if f.noSave {
		a.settings["history.save"] = "false"
	}
	if f.concurrency != 0 {
		a.settings["service.concurrency"] = strconv.Itoa(f.concurrency)
	}
	if err := a.begin(ctx); err != nil {
		return err
	}
	return a.withService(ctx, recordsTurns, func(ctx context.Context, svc *service.Service) error {
		prepare := a.prepareRest
		if f.restOf == "" {
			prepare = a.prepareSend
		}
		send, err := prepare(ctx, svc, args, f)
		if err != nil {
			return err
		}
		sending := ctx
		if f.timeout > 0 {
			var cancel context.CancelFunc
			sending, cancel = context.WithTimeout(ctx, f.timeout)
			defer cancel()
		}
		sent, err := send(sending)
		if len(sent) == 0 {
			return err
		}
		*wasSent = true
		a.warnOfStore(svc)
		return errors.Join(newAskReport(a, svc, f, sent).follow(ctx, sending, a.mergeEvents(sent)), err)
	})
}

// mergeEvents returns the events of all turns, until the last one has ended.
func (a *app) mergeEvents(sent []service.Sent) <-chan history.Event {
	if len(sent) == 1 {
		return sent[0].Events
	}
	merged := make(chan history.Event)
	var following sync.WaitGroup
	following.Add(len(sent))
	for _, one := range sent {
		safego.Go(a.log, "events", func() {
			defer following.Done()
			for e := range one.Events {
				merged <- e
			}
		}, nil)
	}
	safego.Go(a.log, "events", func() {
		following.Wait()
		close(merged)
	}, nil)
	return merged
}

// sendFunc sends prompts. It returns turns with the answers that are to come, also where sending more of them failed.
type sendFunc func(ctx context.Context) ([]service.Sent, error)

// prepareSend completes a prompt and asks for confirmation where that is needed.
func (a *app) prepareSend(ctx context.Context, svc *service.Service, args []string, f askFlags) (sendFunc, error) {
	p, axes, err := a.prompt(ctx, args, f)
	if err != nil {
		return nil, err
	}
	if p.Files, err = a.readFiles(ctx, svc, f); err != nil {
		return nil, err
	}
	if err := a.applyPersona(ctx, svc, &p, f.persona); err != nil {
		return nil, err
	}
	if err := a.learnKey(ctx); err != nil {
		return nil, err
	}
	if err := a.complete(ctx, svc, &p, f); err != nil {
		return nil, err
	}
	for i := range axes.Variants {
		axes.Variants[i].System = p.System
	}
	for name := range axes.Values {
		if !slices.Contains(axes.Variables(), name) {
			return nil, problem.Usage("there is no {{%s}} in the prompt that --var gives a value", termtext.Line(name))
		}
	}
	prompts, err := service.Combine(p, axes)
	if err != nil {
		return nil, err
	}
	if len(prompts) > 1 && f.output != "" && !isFolder(f.output) {
		return nil, problem.Usage("the answers to %s go to a folder", format.Count(len(prompts), "prompt"))
	}
	if err := a.confirmSend(ctx, svc, p, axes.Count(p)); err != nil {
		return nil, err
	}
	return func(ctx context.Context) ([]service.Sent, error) {
		sent, err := svc.SendAll(ctx, prompts)
		if len(sent) > 0 && p.Session == 0 && p.SessionName != "" && svc.StoreProblem() == nil {
			a.note(fmt.Sprintf("confab: there was no session %q; this prompt began it", termtext.Line(p.SessionName)))
		}
		return sent, err
	}, nil
}

func (f askFlags) check() error {
	switch {
	case f.SessionName != "" && f.last:
		return problem.Usage("--session and --continue exclude each other")
	case f.noSave && (f.SessionName != "" || f.last):
		return problem.Usage("--no-save keeps no session, so it excludes --session and --continue")
	case slices.Contains(f.files, ""):
		return problem.Usage("--file takes a file, a pattern or an address, and was given an empty text")
	case slices.Contains(f.images, "-"):
		return problem.Usage("--image takes a file or an address, not standard input")
	case slices.Contains(f.images, ""):
		return problem.Usage("--image takes a file or an address, and was given an empty text")
	case !slices.Contains([]string{"", "answers", "stream"}, f.json):
		return problem.Usage("--json takes nothing, or =stream")
	case f.interleave && (f.json != "" || f.output != ""):
		return problem.Usage("--interleave is for texts on standard output, so it excludes --json and --output")
	}
	return nil
}

// checkKinds refuses flags that none of the models uses, and names the models that get no picture of several.
func (a *app) checkKinds(p service.Prompt, f askFlags) error {
	kinds := map[api.ModelKind]bool{}
	var drawing []string
	for _, slug := range p.Models {
		m, _ := a.catalogue().Find(slug)
		if kinds[m.Kind] = true; m.Kind == api.Image {
			drawing = append(drawing, m.Slug)
		}
	}
	switch {
	case p.Source != nil && !kinds[api.Edit] && !kinds[api.Text]:
		return problem.Usage("--image is for the models that edit, and for text models; confab models lists them")
	case len(f.params) > 0 && !kinds[api.Text]:
		return problem.Usage("--param is for text models; confab models lists them")
	case p.Source == nil && kinds[api.Edit] && len(p.Files) == 0:
		return problem.Usage("the models that edit need --image, a file or a URL")
	case (f.Aspect != "" || f.nonce != "") && !kinds[api.Image]:
		return problem.Usage("--aspect and --nonce are for the models that make pictures; confab models lists them")
	}
	if n := len(p.Models) * p.Samples; n > 1 && f.output != "" && !isFolder(f.output) {
		if _, ok := export.FormatOf(f.output); !ok {
			return problem.Usage("%s go to a folder, or to one file that ends with .md, .txt, .json or .jsonl",
				format.Count(n, "answer"))
		}
	}
	if len(f.images) > 0 && len(drawing) > 0 {
		a.note("confab: --image is not sent to " + strings.Join(drawing, ", ") + ", which draws from the words alone")
	}
	return nil
}

func completeParams(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	names := chat.ParamNames()
	for i := range names {
		names[i] += "="
	}
	return names, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// confirmSend asks before a picture is published and before many calls are made.
func (a *app) confirmSend(ctx context.Context, svc *service.Service, p service.Prompt, count service.CallCount) error {
	c := sendingCost{CallCount: count}
	isEdit := func(slug string) bool {
		m, _ := a.catalogue().Find(slug)
		return m.Kind == api.Edit
	}
	if source := svc.SourceOf(p); source != nil && slices.ContainsFunc(p.Models, isEdit) {
		plan, err := svc.Files().PublishPlan(ctx, *source)
		if err != nil {
			return err
		}
		if plan != "" {
			c.publish = []string{plan}
		}
	}
	return a.confirmCost(ctx, c)
}
