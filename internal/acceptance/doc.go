// Package acceptance holds no code of the program: its tests build confab once
// and use it as a person would, in a real pseudo terminal in front of a
// terminal emulator, against services that misbehave, and end it in every way
// a process can end. They look at what the terminal got, byte by byte, and at
// what the next start finds.
package acceptance
