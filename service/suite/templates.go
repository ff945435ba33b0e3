package suite

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"confab/service/variable"
)

// refuseTemplates returns an error about the first template of promptfoo's in a text that begins at a line: confab puts
// in variables and nothing else, so that it would be sent or compared as it is written.
func refuseTemplates(text string, line int) error {
	found := variable.Foreign(text)
	if len(found) == 0 {
		return nil
	}
	how := "write {{{{ and }}}} for braces that are to be sent"
	if !strings.HasPrefix(found[0].Text, "{{") {
		how = "to send it, make it the value of a variable"
	}
	return problem(line+found[0].Line, "confab does not do the template %s, only {{name}}; %s", quote(found[0].Text), how)
}

// template returns a text in which variables are replaced.
func (r *reader) template(n *yaml.Node, what string, depth int) (string, error) {
	s, err := r.text(n, what, depth)
	if err == nil {
		err = r.noTemplates(n, depth)
	}
	return s, err
}

// noTemplates refuses templates of promptfoo's in the texts of a node, but for the names of files.
func (r *reader) noTemplates(n *yaml.Node, depth int) error {
	n, err := r.follow(n, depth)
	if err != nil {
		return err
	}
	if n.Kind != yaml.ScalarNode {
		for i, child := range n.Content {
			if n.Kind == yaml.MappingNode && i%2 == 0 { // a name
				continue
			}
			if err := r.noTemplates(child, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if _, ok := fileRef(n.Value); ok || n.ShortTag() != "!!str" {
		return nil
	}
	if n.Style&yaml.LiteralStyle != 0 { // the text begins below the mark
		return refuseTemplates(n.Value, n.Line+1)
	}
	return refuseTemplates(strings.ReplaceAll(n.Value, "\n", " "), n.Line)
}

// boolean returns true or false; nothing is false.
func (r *reader) boolean(n *yaml.Node, what string, depth int) (bool, error) {
	n, err := r.follow(n, depth)
	if err != nil || isNull(n) {
		return false, err
	}
	b, ok := scalar(n).(bool)
	if !ok || n.Kind != yaml.ScalarNode {
		return false, problem(n.Line, "%s must be true or false", what)
	}
	return b, nil
}
