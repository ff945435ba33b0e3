// Package graphics shows pictures in a terminal. [RenderCells] draws them as text, in quadrant or half blocks of 16
// million
// or 256 colors. [Terminal] shows them as pixels where the terminal has a protocol for that (kitty, sixel, iTerm2): it
// asks
// the terminal which one it has ([Probe]), sends each picture once and paints it again where it was written over.
//
// The package reads no files: [Loader] is given a function that does. What terminals really do was found by trying
// them;
// comments name the exceptions.
package graphics
