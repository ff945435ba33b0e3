package prose

import "hash/fnv"

// voice is how a model writes.
type voice struct {
	explain func(*desk) string
	opener  []string // before a structured answer; %s is the topic
	closer  []string
	mark    string // of list entries; "1." numbers them, "|" makes a table
	notice  string // says that all is simulated
	role    string // how the persona is acknowledged; %s is its text
	chatty  int    // 0 terse, 1 usual, 2 long
	code    string // language it answers in when none was asked
}

// voiceOf returns the voice of a model; one that is not in the catalogue gets
// one of the voices by its name.
func voiceOf(model string) voice {
	all := voices()
	if v, ok := all[model]; ok {
		return v
	}
	names := []string{"alpha3.1-8b", "oss-20b", "alpha-3.3-70b-versatile", "gamma-4.7", "delta", "zeta"}
	h := fnv.New32a()
	h.Write([]byte(model))
	return all[names[int(h.Sum32())%len(names)]]
}

func voices() map[string]voice {
	return map[string]voice{
		"alpha3.1-8b": {
			explain: quick, mark: "- ", chatty: 1, code: "python",
			opener: []string{"Here you go.", "Quick answer on **%s**:"}, closer: []string{"That covers the basics."},
			notice: "*Simulated by the offline engine.*", role: "*Kept in mind: “%s”*",
		},
		"oss-120b": {
			explain: essay, mark: "1.", chatty: 2, code: "go",
			opener: []string{"## On %s\n\nThe request is read first, then answered in order.", "## %s, in order"}, closer: []string{"Assumptions are stated above; change one and the conclusion may change with it."},
			notice: "> **Note.** This text is simulated by the offline engine.", role: "> **Brief.** %s",
		},
		"oss-20b": {
			explain: sketch, mark: "- ", chatty: 1, code: "go",
			opener: []string{"**Short version** for %s:", "### %s"}, closer: []string{"Run it, then change one thing at a time."},
			notice: "_(simulated by the offline engine)_", role: "_System: %s_",
		},
		"beta-3-235b-a22b-instruct-2507": {
			explain: treatise, mark: "1.", chatty: 2, code: "rust",
			opener: []string{"# %s\n\nBefore answering, it helps to say what would count as a good answer."}, closer: []string{"**Confidence.** Low by construction, and the reason stands in the last line."},
			notice: "---\n*Every word of this is simulated by the offline engine, at the length this model would choose.*", role: "> *Instruction taken as binding:* “%s”",
		},
		"alpha-3.3-70b-versatile": {
			explain: paragraphs, mark: "- ", chatty: 1, code: "python",
			opener: []string{"There are several good ways to look at **%s**; this is the one most people find useful.", "On **%s**, in plain terms."}, closer: []string{"In practice, start small and adjust."},
			notice: "*(An answer simulated by the offline engine.)*", role: "Following your instruction (“%s”), the tone is set accordingly.",
		},
		"alpha-4-scout-17b-16e-instruct": {
			explain: experts, mark: "- ", chatty: 1, code: "typescript",
			opener: []string{"Three of the sixteen experts were asked about **%s**.", "The router picked the expert for *%s*."}, closer: []string{"*Router: 3 of 16 experts active.*"},
			notice: "`simulated by the offline engine`", role: "**All experts were told:** %s",
		},
		"compound-mini": {
			explain: terse, mark: "- ", chatty: 0, code: "bash",
			opener: []string{""}, closer: []string{""},
			notice: "(Simulated by the offline engine.)", role: "(%s)",
		},
		"allam-2-7b": {
			explain: courteous, mark: "1.", chatty: 1, code: "python",
			opener: []string{"With pleasure. On **%s**:", "Thank you for asking about **%s**."}, closer: []string{"I hope this is of use. May your work go well."},
			notice: "*With respect: this was simulated by the offline engine.*", role: "As you wish: *%s*",
		},
		"gamma-4.7": {
			explain: checklist, mark: "- [x] ", chatty: 1, code: "javascript",
			opener: []string{"Understood. What was asked: *%s*.", "Request: **%s**. Result below."}, closer: []string{"- [ ] anything left out? Say so and it is added"},
			notice: "**Status:** simulated by the offline engine.", role: "- [x] instruction followed: %s",
		},
		"gamma-4-7b-flash": {
			explain: chatter, mark: "* ", chatty: 0, code: "javascript",
			opener: []string{"Sure thing! ⚡ %s, coming up:", "Oh, nice one. %s? Here:"}, closer: []string{"Want it shorter, or with an example? 🙂", "Shall I go on?"},
			notice: "(psst: simulated by the offline engine)", role: "Got it, staying in character: “%s”",
		},
		"delta": {
			explain: tables, mark: "|", chatty: 1, code: "sql",
			opener: []string{"**%s**, as a table.", "Tabulated: **%s**."}, closer: []string{"Rows can be added; columns should not."},
			notice: "| source | |\n|---|---|\n| engine | simulated by the offline engine |", role: "| persona |\n|---|\n| %s |",
		},
		"phi-2": {
			explain: textbook, mark: "1.", chatty: 0, code: "python",
			opener: []string{"**Exercise.** Consider %s.\n\n**Solution.**"}, closer: []string{"∎"},
			notice: "Footnote: simulated by the offline engine.", role: "*Given:* %s",
		},
		"epsilon-k2-instruct-0905": {
			explain: polyglot, mark: "- ", chatty: 2, code: "python",
			opener: []string{"**Plan** → gather, order, answer: %s\n\n**计划**：收集、整理、回答。", "**Task / 任务 / タスク**: %s"}, closer: []string{"*下一步 · 次の一歩 · Nächster Schritt*: tell me which part to go into."},
			notice: "*Simulated by the offline engine · 离线引擎模拟 · オフラインエンジンによる模擬*", role: "**System 系统**: %s",
		},
		"zeta": {
			explain: blunt, mark: "- ", chatty: 1, code: "c",
			opener: []string{"No padding. %s:", "You asked about %s. Fine."}, closer: []string{"Disagree? Good. Say where.", "Nothing of this was sent anywhere."},
			notice: "Honesty first: simulated by the offline engine.", role: "Yes, I read it: “%s” I will follow it as far as it makes sense.",
		},
	}
}
