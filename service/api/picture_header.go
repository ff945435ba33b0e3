package api

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// maxDeflate is the most that deflate can shrink anything, 1032 to 1.
const maxDeflate = 1032

var errCut = errors.New("it ends too early")

// walkPNG reads the header of a PNG, then goes through its chunks, and checks their sums and that the end is there,
// without touching a pixel. What the header said is returned with an error too. each, unless it is nil, is given every
// chunk, from its length to its sum, and what follows the last as "".
func walkPNG(b []byte, each func(kind string, whole []byte)) (shape, error) {
	s := shape{ImageFacts: ImageFacts{ContentType: "image/png"}}
	rest := b[min(len(b), len(pngSignature)):]
	var raw, data float64 // bytes of pixels, and what holds them
	var header []byte
	isTransparent := false
	for first := true; ; first = false {
		kind, whole, err := pngChunk(rest)
		if err != nil {
			return s, err
		}
		body := whole[8 : len(whole)-4]
		if first {
			if kind != "IHDR" || len(body) != 13 {
				return s, errors.New("no header")
			}
			if raw, err = s.header(body); err != nil {
				return s, err
			}
			header = body
			s.fits = raw <= maxDeflate*float64(len(b))
		}
		if each != nil {
			each(kind, whole)
		}
		rest = rest[len(whole):]
		if crc32.ChecksumIEEE(whole[4:len(whole)-4]) != binary.BigEndian.Uint32(whole[len(whole)-4:]) {
			return s, fmt.Errorf("wrong checksum in %q", kind)
		}
		switch kind {
		case "IDAT":
			data += float64(len(body))
		case "tRNS":
			isTransparent = true
		case "IEND":
			s.fits = raw <= maxDeflate*data
			s.cost = s.decoded(header, isTransparent)
			if each != nil && len(rest) > 0 {
				each("", rest)
			}
			return s, nil
		}
	}
}

// pngChunk returns the chunk at the beginning of b.
func pngChunk(b []byte) (kind string, whole []byte, err error) {
	if len(b) < 12 {
		return "", nil, errCut
	}
	n := uint64(binary.BigEndian.Uint32(b))
	if n+12 > uint64(len(b)) {
		return "", nil, errCut
	}
	return string(b[4:8]), b[:n+12], nil
}

// header reads IHDR and returns the bytes of all rows before compression.
func (s *shape) header(b []byte) (raw float64, err error) {
	w, h := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
	if w > 1<<31-1 || h > 1<<31-1 {
		return 0, errors.New("impossible size")
	}
	s.Width, s.Height = int(w), int(h)
	depth, color := int64(b[8]), b[9]
	channels, ok := map[byte]int64{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
	if !ok || depth < 1 || depth > 16 {
		return 0, errors.New("impossible colors")
	}
	return float64(h) * (1 + float64((int64(w)*channels*depth+7)/8)), nil
}

// decoded returns the bytes that decoding takes; isTransparent tells that a color is marked as transparent, which makes
// a grey picture one of four channels.
func (s *shape) decoded(header []byte, isTransparent bool) int64 {
	pixels := int64(s.Width) * int64(s.Height)
	if pixels > 1<<40 {
		return 1 << 62
	}
	channel := int64(1)
	if header[8] == 16 {
		channel = 2
	}
	cost := 4 * channel * pixels
	if grey := header[9] == 0 && !isTransparent; grey || header[9] == 3 {
		cost = channel * pixels
	}
	if header[12] != 0 {
		cost += cost / 2 // interlaced: the last pass is half of it, decoded apart
	}
	return cost
}

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

// frame reads the header of a frame; isRGB says that its colors are converted after decoding.
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
