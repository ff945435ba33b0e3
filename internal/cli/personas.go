package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/service/problem"
)

func (a *app) personasCommand() *cobra.Command {
	cmd := a.historyCommand("personas", "List the personas: system prompts kept under a name", a.noCommand,
		readsHistory,
		func(ctx context.Context, svc *service.Service, _ []string) error {
			personas, err := svc.Personas(ctx, "")
			if err != nil {
				return err
			}
			t := newTextTable("name", "models", "parameters", "system prompt")
			t.empty = "No personas yet. confab personas add NAME TEXT makes one, and ctrl+t in the screen."
			for _, p := range personas {
				t.add(termtext.Line(p.Name), termtext.Line(strings.Join(p.Models, ", ")),
					service.ParamsText(p.Params), termtext.Line(p.Text))
			}
			return a.printTable(t)
		})
	var models, params []string
	add := a.historyCommand("add NAME TEXT|@FILE", "Keep a system prompt under a name",
		argCount(2, 2, "confab personas add takes a name and a text, or @FILE"), recordsTurns,
		func(ctx context.Context, svc *service.Service, args []string) error {
			p := history.Persona{Name: args[0]}
			var err error
			if p.Text, err = textOrFile(args[1]); err != nil {
				return err
			}
			several, err := setParams(&p.Params, params)
			if err != nil {
				return err
			}
			if len(several) > 0 {
				return problem.Usage("a persona keeps one value of a parameter; confab ask --param takes several")
			}
			if len(models) > 0 {
				if p.Models, err = a.matchModels(ctx, models); err != nil {
					return err
				}
			}
			return svc.AddPersona(ctx, p)
		})
	add.Flags().StringArrayVarP(&models, "model", "m", nil,
		"keep this model `SLUG` with it (repeatable, globs, all-text)")
	add.Flags().StringArrayVar(&params, "param", nil, "keep a parameter with it, `NAME=VALUE` (repeatable)")
	_ = add.RegisterFlagCompletionFunc("param", completeParams) // it has the flag
	remove := a.historyCommand("remove NAME", "Remove a persona for good",
		argCount(1, 1, "confab personas remove takes the name of one"), recordsTurns,
		func(ctx context.Context, svc *service.Service, args []string) error {
			p, err := svc.Persona(ctx, args[0])
			if err != nil {
				return err
			}
			return svc.DeletePersona(ctx, p.ID)
		})
	remove.ValidArgsFunction = a.completion(a.personaCompletions)
	cmd.AddCommand(add, remove)
	return cmd
}

func (a *app) personaCompletions(ctx context.Context) (all []cobra.Completion) {
	svc, err := a.service(readsHistory)
	if err != nil {
		return nil
	}
	defer a.closeService(ctx, svc)
	personas, _ := svc.Personas(ctx, "") // without a history there are none
	for _, p := range personas {
		if termtext.Line(p.Name) == p.Name {
			all = append(all, cobra.CompletionWithDesc(p.Name, termtext.Cut(termtext.Line(p.Text))))
		}
	}
	return all
}

const personaUsage = "system prompt, models and parameters of the persona of this `NAME`"

// applyPersona sets the system prompt, the models and the parameters of a persona, if one is named; the models and
// parameters of flags count more.
func (a *app) applyPersona(ctx context.Context, svc *service.Service, p *service.Prompt, name string) error {
	switch {
	case name == "":
		return nil
	case p.System != "":
		return problem.Usage("--persona and --system exclude each other")
	}
	persona, err := svc.Persona(ctx, name)
	if err != nil {
		return fmt.Errorf("use a persona: %w", err)
	}
	p.System, p.Params = persona.Text, persona.Params.With(p.Params)
	if len(p.Models) > 0 || len(persona.Models) == 0 {
		return nil
	}
	var known *api.Error
	if p.Models, err = a.matchModels(ctx, persona.Models); errors.As(err, &known) {
		err = &api.Error{Code: known.Code, Err: err,
			Message: asClause(known.Message) + " (of the persona " + termtext.Line(persona.Name) + ")"}
	}
	return err
}

// setParams sets parameters from NAME=VALUE. It returns those that have several values.
func setParams(to *history.Params, given []string) (map[string][]any, error) {
	var axes service.Axes
	for _, param := range given {
		name, value, ok := strings.Cut(param, "=")
		if !ok {
			return nil, problem.Usage("--param takes NAME=VALUE, such as temperature=0.2")
		}
		if err := axes.SetParam(to, name, value); err != nil {
			return nil, err
		}
	}
	return axes.Params, nil
}
