package api

import (
	"encoding/binary"
	"errors"
)

// maxJPEG is the most pixels that a byte of a JPEG can hold: a block of 64 takes one bit at least.
const maxJPEG = 512

// maxScans is the most passes over its pixels that a JPEG may ask for. Those of progressive ones are about ten; each
// costs the decoder a walk through all blocks for a few bytes of the file.
const maxScans = 100

// walkJPEG reads the header of a JPEG, then goes through its segments to its end, without decoding. What the header
// said is returned with an error too. each, unless it is nil, is given every segment with its marker, and what follows
// the end as marker 0.
func walkJPEG(b []byte, each func(marker byte, whole []byte)) (shape, error) {
	s := shape{ImageFacts: ImageFacts{ContentType: "image/jpeg"}}
	if each == nil {
		each = func(byte, []byte) {}
	}
	each(0xd8, b[:2])
	at, scans, adobe := 2, 0, false
	for {
		start := at
		for at < len(b) && b[at] != 0xff { // stray bytes, which every decoder passes over
			at++
		}
		for at < len(b) && b[at] == 0xff {
			at++
		}
		if at >= len(b) {
			return s, errCut
		}
		marker := b[at]
		at++
		switch {
		case marker == 0xd9:
			each(marker, b[start:at])
			if at < len(b) {
				each(0, b[at:])
			}
			return s, nil
		case marker == 0, marker == 1, marker >= 0xd0 && marker <= 0xd7:
			each(marker, b[start:at])
			continue
		}
		if at+2 > len(b) {
			return s, errCut
		}
		n := int(binary.BigEndian.Uint16(b[at:]))
		if n < 2 {
			return s, errors.New("impossible segment")
		}
		if at+n > len(b) {
			return s, errCut
		}
		body := b[at+2 : at+n]
		at += n
		switch marker {
		case 0xc0, 0xc1, 0xc2:
			if s.Width > 0 {
				return s, errors.New("two headers")
			}
			if err := s.frame(body, marker == 0xc2, adobe, len(b)); err != nil {
				return s, err
			}
		case 0xee:
			adobe = len(body) >= 12 && string(body[:5]) == "Adobe" && body[11] == 0
		case 0xda:
			if scans++; scans > maxScans {
				return s, errors.New("too many scans")
			}
			at = entropy(b, at)
		}
		each(marker, b[start:at])
	}
}

// entropy returns where the coded pixels that begin at a place end.
func entropy(b []byte, at int) int {
	for ; at+1 < len(b); at++ {
		if b[at] == 0xff && b[at+1] != 0 && (b[at+1] < 0xd0 || b[at+1] > 0xd7) && b[at+1] != 0xff {
			return at
		}
	}
	return len(b)
}

// frame reads the header of a frame; rgb tells that its colors need to be converted after decoding.
func (s *shape) frame(b []byte, isProgressive, isRGB bool, size int) error {
	if len(b) < 6 || len(b) < 6+3*int(b[5]) || b[5] == 0 {
		return errors.New("no header")
	}
	s.Height, s.Width = int(binary.BigEndian.Uint16(b[1:])), int(binary.BigEndian.Uint16(b[3:]))
	pixels := int64(s.Width) * int64(s.Height)
	s.fits = pixels <= maxJPEG*int64(size)
	var samples, widest, highest int64
	for i := range int(b[5]) {
		h, v := int64(b[7+3*i]>>4), int64(b[7+3*i]&15)
		samples += h * v
		widest, highest = max(widest, h), max(highest, v)
	}
	if widest == 0 || highest == 0 {
		return errors.New("impossible sampling")
	}
	s.cost = pixels * samples / (widest * highest)
	if isProgressive {
		s.cost *= 5 // the coefficients, four bytes each, are kept as well
	}
	if isRGB || b[5] == 4 || b[5] == 3 && b[6] == 'R' {
		s.cost += 4 * pixels
	}
	return nil
}
