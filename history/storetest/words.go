package storetest

import (
	"fmt"
	"strings"
)

func testWords(f *fixture) {
	s := f.session("s")
	f.chat(s.ID, "one", "alpha", "The quick brown fox. Straße, café, ÉCLAIR; naïve e-mail 3.14 snake_case")
	f.chat(s.ID, "two", "alpha", "請問退款流程是什麼？謝謝")
	f.chat(s.ID, "three", "alpha", "東京タワーへ行きたいです。コーヒー")
	f.chat(s.ID, "four", "alpha", "안녕하세요 세계")
	f.chat(s.ID, "five", "alpha", "party 🎉 time")
	f.chat(s.ID, "six", "alpha", "Привет мир")
	f.chat(s.ID, "seven", "alpha", "สวัสดีครับ")
	for typed, want := range map[string]string{
		"quick":        "The [quick] brown fox",
		"QUICK":        "The [quick] brown fox",
		"qui":          "The [qui]ck brown fox",
		"bro":          "The quick [bro]wn fox",
		"fox quick":    "The [quick] brown [fox]",
		`"quick bro`:   "The [quick bro]wn fox",
		`"quick fox"`:  "",
		"qui ":         "",
		`"qui"`:        "",
		"qui fox":      "",
		"uick":         "",
		"quick absent": "",
		"cafe":         "[café]",
		"CAFÉ":         "[café]",
		"eclair":       "[ÉCLAIR]",
		"naive":        "[naïve]",
		"e-mail":       "[e-mail]",
		"3.14":         "[3.14]",
		"snake_case":   "[snake_case]",
		"退款":           "請問[退款]流程",
		"款流":           "退[款流]程",
		"款退":           "",
		"謝":            "[謝謝]",
		"退款 謝謝":        "請問[退款]流程是什麼？[謝謝]",
		"タワー":          "東京[タワー]へ",
		"ワーへ行き":        "タ[ワーへ行き]たい",
		"コーヒー":         "[コーヒー]",
		"안녕":           "[안녕]하세요",
		"🎉":            "party [🎉] time",
		"🎉 party":      "[party] [🎉] time",
		"🎈":            "",
		"🎈 party":      "",
		"ПРИВ":         "[Прив]ет мир",
		"สวัสดี":       "[สวัสดี]ครับ",
	} {
		got := f.search(typed)
		if want == "" {
			f.same("search "+typed, got, []string{})
			continue
		}
		if len(got) != 1 || !strings.Contains(got[0], want) {
			f.Errorf("search %q: got %q want %q", typed, got, want)
		}
	}
}

func testLongTexts(f *fixture) {
	s := f.session("s")
	var other strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&other, "w%d ", i)
	}
	f.chat(s.ID, "one", "alpha", other.String()+"hidden treasure chest")
	f.chat(s.ID, "two", "alpha", strings.Repeat("common word ", 400)+"common treasure map 的"+
		strings.Repeat("猫的", 300)+"狗")
	f.chat(s.ID, "three", "alpha", "treasure hidden chest")
	for typed, want := range map[string]int{
		`"hidden treasure"`: 1, `"treasure chest"`: 1, `"hidden chest"`: 1, `"common treasure"`: 1,
		`"word common"`: 1, `"treasure common"`: 0, "treasure": 3, "的狗": 1, "猫狗": 0, "w19999 hidden ": 1,
	} {
		f.same("hits of "+typed, len(f.search(typed)), want)
	}
}
