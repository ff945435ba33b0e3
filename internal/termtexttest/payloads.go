package termtexttest

import (
	"strings"
	"unicode/utf8"
)

// Payloads returns hostile texts by name. Each is between BEGIN and END, which must stay visible.
func Payloads() map[string]string {
	raw := map[string]string{
		// CSI
		"csi-clear": "\x1b[2J", "csi-home": "\x1b[H", "csi-up": "\x1b[99A", "csi-status": "\x1b[6n", "csi-da": "\x1b[c",
		"csi-alt": "\x1b[?1049h", "csi-mouse": "\x1b[?1003h", "csi-title": "\x1b[21t", "csi-18t": "\x1b[18t",
		"csi-scroll": "\x1b[1;2r",
		"csi-repeat": "a\x1b[9999b", "csi-kitty": "\x1b[>31u", "csi-hide": "\x1b[?25l", "csi-unfinished": "\x1b[12;",
		"csi-private": "\x1b[?2026h",
		"sgr-conceal": "\x1b[8m", "sgr-blink": "\x1b[5m", "sgr-red": "\x1b[31m", "sgr-mixed": "\x1b[1;8;38;5;8m",
		// OSC
		"osc-title": "\x1b]0;PWNED\x07", "osc-icon": "\x1b]1;PWNED\x1b\\", "osc-title2": "\x1b]2;PWNED\x07",
		"osc-palette": "\x1b]4;1;?\x07",
		"osc-cwd":     "\x1b]7;file://h/x\x07", "osc-fg": "\x1b]10;?\x07", "osc-bg": "\x1b]11;?\x1b\\",
		"osc-font": "\x1b]50;x\x07",
		"osc-clip": "\x1b]52;c;cHduZWQ=\x07", "osc-clip-read": "\x1b]52;c;?\x07",
		"osc-notify": "\x1b]777;notify;a;b\x07", "osc-9": "\x1b]9;x\x07",
		"osc-iterm": "\x1b]1337;File=inline=1:AAAA\x07", "osc-unfinished": "\x1b]0;PWNED",
		"osc-newline": "\x1b]0;PW\nNED\x07",
		"link-open":   "\x1b]8;;http://evil.example/\x07", "link-js": "\x1b]8;;javascript:alert(1)\x07x\x1b]8;;\x07",
		"link-file": "\x1b]8;;file:///etc/passwd\x1b\\x\x1b]8;;\x1b\\",
		"link-lf":   "\x1b]8;;http://a/\n\x08b\x07x", "link-bel": "\x1b]8;;http://a/\x1b]0;PWNED\x07",
		// DCS, APC, PM, SOS
		"dcs": "\x1bP$q\"p\x1b\\", "dcs-unfinished": "\x1bP1$r", "sixel": "\x1bPq#0;2;0;0;0~-\x1b\\",
		"decrqss": "\x1bP$qm\x1b\\", "tmux": "\x1bPtmux;\x1b\x1b]0;PWNED\x07\x1b\\",
		"apc-kitty": "\x1b_Gi=1,a=q;AAAA\x1b\\", "apc-unfinished": "\x1b_G", "pm": "\x1b^x\x1b\\",
		"sos": "\x1bXx\x1b\\",
		// plain escapes
		"esc-reset": "\x1bc", "esc-charset": "\x1b(0", "esc-nel": "\x1bE", "esc-ri": "\x1bM", "esc-gq": "\x1bGQ",
		"esc-8": "\x1b#8", "esc-end": "\x1b", "esc-twice": "\x1b\x1b[2J",
		// C1
		"c1-csi": "\u009b2J", "c1-osc": "\u009d0;PWNED\u009c", "c1-osc-bel": "\u009d0;PWNED\x07",
		"c1-dcs": "\u0090$q\u009c", "c1-nel": "\u0085", "c1-apc": "\u009fG\u009c", "c1-ss3": "\u008f",
		"c1-raw-csi": "\x9b2J", "c1-raw-osc": "\x9d0;PWNED\x9c", "c1-raw-nel": "\x85", "c1-raw-st": "\x9c",
		// C0
		"nul": "\x00", "bel": "\x07", "bs": "\b\b\b\b\b\b", "vt": "\v", "ff": "\f", "cr": "\r", "so": "\x0e",
		"si": "\x0f", "can": "\x18", "sub": "\x1a", "del": "\x7f", "enq": "\x05", "tab": "\t",
		// text that lies
		"bidi-rlo": "\u202egnp.exe\u202c", "bidi-isolate": "\u2067x\u2069", "bidi-marks": "\u200e\u200f\u061c",
		"zero-width": "\u200b\u200c\u200d\u2060\ufeff",
		"tags":       "\U000e0041\U000e0042\U000e007f", "variation": "\ufe0f\U000e0100", "separators": "\u2028\u2029",
		"soft-hyphen": "\u00ad", "fillers": "\u115f\u1160\u3164\uffa0",
		"invisible-math": "\u2061\u2062\u2063\u2064", "annotation": "\ufff9x\ufffa\ufffb", "deprecated": "\u206a\u206f",
		"private": "\ue000\U0010eeee", "unassigned": "\u0378\U000e0fff",
		// broken UTF-8
		"utf8-ff": "\xff\xfe", "utf8-c0": "\xc0\xaf", "utf8-overlong": "\xe0\x80\x9b", "utf8-surrogate": "\xed\xa0\x80",
		"utf8-cut": "\xe2\x82", "utf8-f5": "\xf5\x80\x80\x80",
		// shape
		"zalgo": "e" + strings.Repeat("\u0301\u0323",
			60), "mark-first": "\n\u0301x", "family": "👨\u200d👩\u200d👧\u200d👦", "tone": "👍🏽", "flag": "🇩🇪",
		"half-flag": "🇩", "keycap": "1\ufe0f\u20e3", "heart": "❤\ufe0f",
		// entities
		"ent-esc": "&#27;[2J", "ent-esc-hex": "&#x1b;]0;PWNED&#7;", "ent-c1": "&#155;2J", "ent-conceal": "&#27;[8m",
		"ent-rlo": "&#8238;", "ent-nul": "&#0;", "ent-named": "&Tab;&NewLine;&lrm;&zwj;&shy;",
		"ent-split": "~~&**#27;**[31mX~~", "ent-twice": "&amp;#27;[2J", "ent-long": "&#0000000000000027;[2J",
		"ent-lf": "&#10;&#13;", "ent-escaped": "\\&#27;[2J",
		"percent": "http://a/%1b%5b2J", "percent-c1": "%c2%9b2J",
	}
	out := make(map[string]string, len(raw))
	for name, s := range raw {
		out[name] = "BEGIN" + s + "END"
	}
	return out
}

// MarkdownPlaces returns the positions in Markdown that can contain a payload.
func MarkdownPlaces() map[string]func(string) string {
	around := func(before, after string) func(string) string {
		return func(p string) string { return before + p + after }
	}
	return map[string]func(string) string{
		"paragraph":   around("a ", " b"),
		"heading":     around("# ", "\n\ntext"),
		"setext":      around("", "\n===\n"),
		"emphasis":    around("a *", "* b"),
		"strong":      around("a **", "** b"),
		"strike":      around("a ~~", "~~ b"),
		"code-span":   around("a `", "` b"),
		"fence":       around("```\n", "\n```\n"),
		"fence-go":    around("```go\nx := \"", "\"\n```\n"),
		"fence-diff":  around("```diff\n+", "\n```\n"),
		"fence-info":  around("```", "\ncode\n```\n"),
		"indented":    around("    ", "\n"),
		"item":        around("- a\n- ", "\n- c\n"),
		"number":      around("1. ", "\n2. b\n"),
		"task":        around("- [x] ", "\n"),
		"quote":       around("> ", "\n> b\n"),
		"nested":      around("> - a\n>   - ", "\n"),
		"nested-code": around("- a\n\n  ```python\n  s = '", "'\n  ```\n"),
		"table-head":  around("| ", " | b |\n|---|---|\n| 1 | 2 |\n"),
		"table-cell":  around("| a | b |\n|---|---|\n| ", " | 2 |\n"),
		"link-text":   around("[", "](http://example.com/)"),
		"link-url":    around("[a](<http://example.com/", ">)"),
		"link-bare":   around("[a](http://example.com/", ")"),
		"link-scheme": around("[a](<", ":x>)"),
		"link-title":  around("[a](http://example.com/ \"", "\")"),
		"image-alt":   around("![", "](http://example.com/a.png)"),
		"image-url":   around("![a](<", ">)"),
		"autolink":    around("<http://example.com/", ">"),
		"linkify":     around("see http://example.com/", " there"),
		"mail":        around("<a@", ".example>"),
		"html-block":  around("<div>\n", "\n</div>\n"),
		"html-span":   around("a <b class=\"", "\">x</b>"),
		"sub":         around("a<sub>", "</sub> b"),
		"sup":         around("a<sup>Q", "</sup> b"),
		"summary":     around("<details>\n<summary>", "</summary>\n\nb\n\n</details>\n"),
		"footnote":    around("a[^1]\n\n[^1]: ", "\n"),
		"note-label":  around("a[^1]\n\n[^", "]: b\n"),
		"term":        around("", "\n: b\n"),
		"description": around("a\n: ", "\n"),
		"formula":     around("a \\(x ", "\\) b"),
		"formulas":    around("\\[\n", " = \\alpha\n\\]\n"),
		"comment":     around("a <!-- ", " --> b"),
		"definition":  around("[a][x]\n\n[x]: http://example.com/ \"", "\"\n"),
		"def-label":   around("[a][x]\n\n[", "]: http://example.com/\n"),
	}
}

// MissingFrame reports which part of a payload's frame is missing in s, "" for none. Wide text may span several
// lines.
func MissingFrame(s string) string {
	s = strings.NewReplacer("\n", "", " ", "", "│", "", "↳", "").Replace(s)
	if !utf8.ValidString(s) {
		return "valid UTF-8"
	}
	for _, want := range []string{"BEGIN", "END"} {
		if !strings.Contains(s, want) {
			return want
		}
	}
	return ""
}
