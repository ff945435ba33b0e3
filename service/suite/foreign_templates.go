package suite

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// refuseTemplates returns an error for the first promptfoo template in a text that begins at a line. Confab replaces
// only variables, so it would send or compare the template as written.
func refuseTemplates(text string, line int) error {
	found := foreignTemplates(text)
	if len(found) == 0 {
		return nil
	}
	how := "write {{{{ and }}}} for braces that are to be sent"
	if !strings.HasPrefix(found[0].Text, "{{") {
		how = "to send it, make it the value of a variable"
	}
	return errorAt(line+found[0].Line, "confab does not do the template %s, only {{name}}; %s", quote(found[0].Text),
		how)
}

// refuseTemplatesIn refuses promptfoo templates in the texts of a node, except in names of files.
func refuseTemplatesIn(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		for i, child := range n.Content {
			if isName := n.Kind == yaml.MappingNode && i%2 == 0; isName {
				continue
			}
			if err := refuseTemplatesIn(child); err != nil {
				return err
			}
		}
		return nil
	}
	if _, ok := fileRef(n.Value); ok || n.ShortTag() != "!!str" {
		return nil
	}
	if n.Style&yaml.LiteralStyle != 0 { // the text begins on the next line
		return refuseTemplates(n.Value, n.Line+1)
	}
	return refuseTemplates(strings.ReplaceAll(n.Value, "\n", " "), n.Line)
}
