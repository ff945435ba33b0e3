package suite

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/beevik/etree"
	"golang.org/x/net/html"
)

// isXML checks that a whole text is well-formed XML, with the elements of the value if any.
func isXML(spec checkSpec) (judgeFunc, error) {
	paths, err := elementPaths(spec.Value)
	return textJudge(func(got string) checkOutcome {
		doc := etree.NewDocument()
		doc.ReadSettings.PreserveDuplicateAttrs = true
		err := cmp.Or(checkTags(got), doc.ReadFromString(got))
		if err == nil {
			err = checkXML(doc)
		}
		if err != nil {
			return checkOutcome{reason: "the text is not XML: " + err.Error()}
		}
		return hasPaths(&doc.Element, paths, "the text is XML")
	}), err
}

// checkTags checks that all elements are closed in order.
func checkTags(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil } // it is UTF-8
	for {
		if _, err := d.Token(); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// checkXML finds faults that the library accepts: texts outside of the root, and names.
func checkXML(doc *etree.Document) error {
	for i, token := range doc.Child {
		switch t := token.(type) {
		case *etree.CharData:
			if !t.IsWhitespace() {
				return errors.New("words stand outside of its root")
			}
		case *etree.ProcInst:
			if t.Target == "xml" && i > 0 {
				return errors.New("its declaration is not at its beginning")
			}
		case *etree.Directive:
			if strings.Contains(t.Data, "[") {
				return errors.New("it declares types of its own")
			}
		}
	}
	if len(doc.ChildElements()) != 1 {
		return errors.New("it has not one root")
	}
	for e := range doc.FindElementsSeq("//*") {
		names := []string{}
		known := []string{"", "xml", "xmlns"}
		isDeclared := slices.Contains(known, e.Space) || e.NamespaceURI() != ""
		for _, a := range e.Attr {
			isDeclared = isDeclared && (slices.Contains(known, a.Space) || a.NamespaceURI() != "")
			if slices.Contains(names, a.FullKey()) {
				return fmt.Errorf("%s has an attribute twice", quoted(e.FullTag()))
			}
			names = append(names, a.FullKey())
		}
		if !isDeclared {
			return fmt.Errorf("a prefix in %s is not declared", quoted(e.FullTag()))
		}
	}
	return nil
}

// containsXML looks for elements in a text, and for the elements of the value in them.
func containsXML(spec checkSpec) (judgeFunc, error) {
	paths, err := elementPaths(spec.Value)
	return textJudge(func(got string) checkOutcome {
		parts := xmlParts(got)
		if len(parts) == 0 || len(paths) == 0 {
			return textOutcome(len(parts) > 0, "contains", "does not contain", "XML")
		}
		all := etree.NewDocument()
		all.ReadSettings.Permissive = true
		if err := all.ReadFromString(strings.Join(parts, "")); err != nil {
			return checkOutcome{reason: "the XML in the text cannot be read: " + err.Error()}
		}
		found := hasPaths(&all.Element, paths, "the text contains XML")
		for _, child := range all.ChildElements() {
			if !found.holds {
				found = hasPaths(&etree.Element{Child: []etree.Token{child}}, paths, "the text contains XML")
			}
		}
		return found
	}), err
}

// elementPaths returns the paths of elements that a check requires: a list, a text with commas, or requiredElements.
func elementPaths(value any) (paths [][]string, err error) {
	if object, ok := value.(map[string]any); ok {
		value = object["requiredElements"]
		if len(object) > 0 && value == nil {
			return nil, errors.New("needs a list of elements as its value")
		}
	}
	if value == nil {
		return nil, nil
	}
	list, err := needList(checkSpec{Value: value})
	for _, path := range list {
		paths = append(paths, strings.Split(path, "."))
	}
	return paths, err
}

// hasPaths reports whether all paths lead from a root to elements.
func hasPaths(root *etree.Element, paths [][]string, reason string) checkOutcome {
	for _, path := range paths {
		if !hasPath(root, path) {
			return checkOutcome{reason: "the XML has no element " + quoted(strings.Join(path, "."))}
		}
	}
	return checkOutcome{holds: true, reason: reason}
}

// hasPath reports whether a path leads to an element, an attribute (@_name) or the text among others (#text). Of
// several elements with one name, the next step is a number.
func hasPath(e *etree.Element, path []string) bool {
	if len(path) == 0 {
		return true
	}
	if name, isAttr := strings.CutPrefix(path[0], "@_"); isAttr && len(path) == 1 {
		return e.SelectAttr(name) != nil
	}
	found := slices.DeleteFunc(e.ChildElements(), func(child *etree.Element) bool { return child.FullTag() != path[0] })
	if path[0] == "#text" && len(path) == 1 {
		return strings.TrimSpace(e.Text()) != "" && len(e.Child)+len(e.Attr) > 1
	}
	if path = path[1:]; len(found) > 1 && len(path) > 0 {
		i, err := strconv.Atoi(path[0])
		return err == nil && i >= 0 && i < len(found) && hasPath(found[i], path[1:])
	}
	return len(found) > 0 && hasPath(found[0], path)
}

// markup matches a tag, a comment or another declaration.
var markup = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)<!--.*?-->|<!\[CDATA\[.*?\]\]>|<[!?][^>]*>|` +
		`<(/?)([\pL_:][\pL\pN_:.-]*)((?:"[^"]*"|'[^']*'|[^<>"'])*?)(/?)>`)
})

// xmlParts returns the outermost elements of a text that are closed.
func xmlParts(text string) (parts []string) {
	var open, closed [][]int
	for _, m := range markup().FindAllStringSubmatchIndex(text, -1) {
		if m[4] < 0 { // no tag
			continue
		}
		switch isClosing, isEmpty := m[2] < m[3], m[8] < m[9]; {
		case isEmpty:
			closed = append(closed, m[:2])
		case !isClosing:
			open = append(open, m)
		case len(open) > 0 && text[m[4]:m[5]] == text[open[len(open)-1][4]:open[len(open)-1][5]]:
			begin := open[len(open)-1][0]
			closed = slices.DeleteFunc(closed, func(inner []int) bool { return inner[0] > begin })
			open, closed = open[:len(open)-1], append(closed, []int{begin, m[1]})
		default:
			open = nil
		}
	}
	for _, span := range closed {
		parts = append(parts, text[span[0]:span[1]])
	}
	return parts
}

// htmlElements are the names of HTML's elements but html, head and body.
const htmlElements = ` a abbr address area article aside audio b base bdi bdo blockquote br button canvas caption cite
 code col colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure footer form h1
 h2 h3 h4 h5 h6 header hr i iframe img input ins kbd label legend li link main map mark math menu meta meter nav noscript
 object ol optgroup option output p param picture pre progress q rp rt ruby s samp script section select slot small
 source span strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track u ul
 var video wbr `

// isHTML checks that a whole text is HTML: it has an element that HTML knows, and no text outside of elements.
func isHTML(checkSpec) (judgeFunc, error) {
	known := strings.Fields(htmlElements)
	return textJudge(func(got string) checkOutcome {
		text := strings.ToLower(strings.TrimFunc(got, isBlank))
		isWritten := func(name string) bool { return wrapper(name).MatchString(text) }
		root, err := html.Parse(strings.NewReader(text))
		if err != nil || text == "" || strings.HasPrefix(text, "<?xml") {
			return checkOutcome{reason: "the text is not HTML"}
		}
		hasElement := false
		for n := range root.Descendants() {
			switch {
			case n.Type == html.TextNode && n.Parent.Data == "body" && strings.TrimFunc(n.Data, isBlank) != "" &&
				!isWritten("body"):
				return checkOutcome{reason: "the text has words outside of HTML"}
			case n.Type == html.ElementNode && (slices.Contains(known, n.Data) || strings.Contains(n.Data, "-")):
				hasElement = true
			case n.Data == "html" || n.Data == "head" || n.Data == "body":
				hasElement = hasElement || n.Type == html.ElementNode && isWritten(n.Data)
			}
		}
		if !hasElement {
			return checkOutcome{reason: "the text has no element of HTML"}
		}
		return checkOutcome{holds: true, reason: "the text is HTML"}
	}), nil
}

func wrapper(name string) *regexp.Regexp { return regexp.MustCompile(`<` + name + `[\s>/]`) }

// htmlSigns returns what speaks for HTML in a text, by its weight.
var htmlSigns = sync.OnceValue(func() map[*regexp.Regexp]int {
	return map[*regexp.Regexp]int{
		regexp.MustCompile(`<[a-zA-Z][a-zA-Z0-9-]*(\s[^>]*)?>`):    1,
		regexp.MustCompile(`</[a-zA-Z][a-zA-Z0-9-]*\s*>`):          1,
		regexp.MustCompile(`<[a-zA-Z][a-zA-Z0-9-]*(\s[^>]*)?/>`):   1,
		regexp.MustCompile(`&([a-zA-Z]+|#[0-9]+|#x[0-9a-fA-F]+);`): 1,
		regexp.MustCompile(`(?i)<!doctype\s+html`):                 2,
		regexp.MustCompile(`(?s)<!--[^-]*(-[^-]+)*-->`):            1,
		regexp.MustCompile(`\s[a-zA-Z-]+=\s*("|')[^"']*("|')`):     1,
		regexp.MustCompile(`(?i)<(html|head|body|div|span|p|a|img|h[1-6]|ul|ol|li|table|tr|td|th|form|input|button|` +
			`script|style|link|meta|br|hr)\b`): 2,
	}
})

// containsHTML looks for signs of HTML in a text: one element that is closed, or two others.
func containsHTML(checkSpec) (judgeFunc, error) {
	return textJudge(func(got string) checkOutcome {
		weight := 0
		for sign, w := range htmlSigns() {
			if sign.MatchString(got) {
				weight += w
			}
		}
		return textOutcome(weight >= 2, "contains", "does not contain", "HTML")
	}), nil
}
