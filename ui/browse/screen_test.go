package browse_test

import (
	"errors"

	"confab/service/api"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/overlay/overlaytest"
)

// source answers the searches of a list and makes its previews.
type source struct {
	*overlaytest.Screen
	queries  []string // that were searched
	result   browse.SearchResult
	previews []previewRequest // that were asked for
	preview  []string
}

// previewRequest is a preview that was asked for.
type previewRequest struct {
	browse.Item
	w, h int
}

// config returns the configuration of a list that is read from the source.
func (f *source) config(list action.List) browse.Config {
	c := browse.ListConfig(list, ui.Keys())
	c.Keys = nil // what keys do is up to the items
	if c.Search != nil {
		c.Search = func(query string) func() browse.SearchResult {
			f.queries = append(f.queries, query)
			return func() browse.SearchResult { return f.result }
		}
	}
	if c.Preview != nil {
		c.Preview = func(item browse.Item, w, h int) func() browse.Preview {
			f.previews = append(f.previews, previewRequest{item, w, h})
			return func() browse.Preview { return browse.Preview{Lines: f.preview} }
		}
	}
	return c
}

// list opens a list that is read from a source.
func list(s *overlaytest.Screen, name action.List) *source {
	f := &source{Screen: s}
	s.Open(browse.NewList(f.config(name), ui.Keys(), s.Styles))
	return f
}

// query returns the newest search.
func (f *source) query() string { return f.queries[len(f.queries)-1] }

// found answers the searches under way.
func (f *source) found(items []browse.Item, total int, problem string) {
	f.result = browse.SearchResult{Items: items, Total: total}
	if problem != "" {
		f.result.Err = &api.Error{Message: problem, Err: errors.New(problem)}
	}
	f.Run()
}

// foundIn answers the listing of a folder.
func (f *source) foundIn(folder string, items []browse.Item) {
	f.result = browse.SearchResult{Items: items, Total: len(items), Folder: folder}
	f.Run()
}

// previewed lets the cursor rest until its preview is made.
func (f *source) previewed(lines ...string) {
	f.preview = lines
	f.Settle()
}
