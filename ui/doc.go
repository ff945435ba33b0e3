// Package ui is the full screen: the root model that routes messages, lays out
// the panes and handles the actions that panes and dialogs ask for.
//
// Every message takes the first of these ways that fits (route.go):
//
//  1. facts of the terminal (size, colours, focus): the root, then a new layout
//  2. data (a turn sent, an event, a page read): the root by id, then whoever shows it
//  3. the top dialog takes keys, paste and mouse
//  4. effects that can be had everywhere; a pane that captures text yields only modified keys
//  5. the focused pane
//  6. mouse: the pane under the pointer
//  7. anything else (results of a pane's own work): all panes
//
// The package touches no HTTP, no SQL, no file and no environment: it asks the
// service for everything through the interfaces of ports.go, in commands.
package ui
