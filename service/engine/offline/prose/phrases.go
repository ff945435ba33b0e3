package prose

import (
	"fmt"
	"strings"
)

// phrasebook: a phrase in English and in the languages, in the order of the
// first line.
const phrasebook = `
english|german|french|spanish|italian|portuguese|dutch|polish|latin|japanese|chinese|korean|russian|arabic
hello|hallo|bonjour|hola|ciao|olá|hallo|cześć|salve|こんにちは|你好|안녕하세요|здравствуйте|مرحبا
good morning|guten Morgen|bonjour|buenos días|buongiorno|bom dia|goedemorgen|dzień dobry|bonum mane|おはようございます|早上好|좋은 아침입니다|доброе утро|صباح الخير
good evening|guten Abend|bonsoir|buenas tardes|buonasera|boa noite|goedenavond|dobry wieczór|bonum vesperum|こんばんは|晚上好|안녕하세요|добрый вечер|مساء الخير
good night|gute Nacht|bonne nuit|buenas noches|buonanotte|boa noite|goedenacht|dobranoc|bonam noctem|おやすみなさい|晚安|안녕히 주무세요|спокойной ночи|تصبح على خير
goodbye|auf Wiedersehen|au revoir|adiós|arrivederci|adeus|tot ziens|do widzenia|vale|さようなら|再见|안녕히 가세요|до свидания|مع السلامة
please|bitte|s'il vous plaît|por favor|per favore|por favor|alstublieft|proszę|quaeso|お願いします|请|부탁합니다|пожалуйста|من فضلك
thank you|danke|merci|gracias|grazie|obrigado|dank u|dziękuję|gratias tibi ago|ありがとう|谢谢|감사합니다|спасибо|شكرا
how are you|wie geht es Ihnen|comment allez-vous|cómo está usted|come sta|como está|hoe gaat het|jak się pan ma|quid agis|お元気ですか|你好吗|어떻게 지내세요|как дела|كيف حالك
yes|ja|oui|sí|sì|sim|ja|tak|ita|はい|是|네|да|نعم
no|nein|non|no|no|não|nee|nie|non|いいえ|不|아니요|нет|لا
the cat sat on the mat|die Katze saß auf der Matte|le chat était assis sur le tapis|el gato se sentó en la alfombra|il gatto sedeva sul tappeto|o gato sentou-se no tapete|de kat zat op de mat|kot siedział na macie|feles in teges sedit|猫はマットの上に座った|猫坐在垫子上|고양이가 매트 위에 앉았다|кот сидел на коврике|جلست القطة على السجادة
i love you|ich liebe dich|je t'aime|te quiero|ti amo|eu te amo|ik hou van je|kocham cię|te amo|愛しています|我爱你|사랑해요|я тебя люблю|أحبك
where is the station|wo ist der Bahnhof|où est la gare|dónde está la estación|dov'è la stazione|onde fica a estação|waar is het station|gdzie jest dworzec|ubi est statio|駅はどこですか|车站在哪里|역이 어디예요|где вокзал|أين المحطة
water|Wasser|eau|agua|acqua|água|water|woda|aqua|水|水|물|вода|ماء
bread|Brot|pain|pan|pane|pão|brood|chleb|panis|パン|面包|빵|хлеб|خبز
world|Welt|monde|mundo|mondo|mundo|wereld|świat|mundus|世界|世界|세계|мир|عالم`

// phrase looks text up; the whole phrase first, then its words.
func phrase(text, target string) (out string, whole bool, missing int) {
	rows := strings.Split(strings.TrimSpace(phrasebook), "\n")
	column := -1
	for i, l := range strings.Split(rows[0], "|") {
		if l == target {
			column = i
		}
	}
	find := func(s string) string {
		s = strings.ToLower(strings.Trim(strings.TrimSpace(s), ".,!?;:\"'“”"))
		for _, r := range rows[1:] {
			cells := strings.Split(r, "|")
			if column >= 0 && column < len(cells) && s != "" {
				for _, c := range cells {
					if strings.ToLower(c) == s {
						return cells[column]
					}
				}
			}
		}
		return ""
	}
	if f := find(text); f != "" {
		return f, true, 0
	}
	var parts []string
	for _, p := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",.!?;", r) }) {
		if f := find(p); f != "" {
			parts = append(parts, f)
			continue
		}
		for _, w := range strings.Fields(p) {
			if f := find(w); f != "" {
				parts = append(parts, f)
			} else {
				parts = append(parts, "⟨"+w+"⟩")
				missing++
			}
		}
	}
	return strings.Join(parts, " "), false, missing
}

// translation gives what the phrasebook has and leaves the rest as it is.
func (d *desk) translation() string {
	text := oneLine(d.material)
	out, whole, missing := phrase(shorten(text, 300), d.target)
	name := upperFirst(d.target)
	if whole {
		if d.voice.chatty == 0 {
			return "**" + out + "**"
		}
		return d.opened(fmt.Sprintf("| English or as given | %s |\n|:--|:--|\n| %s | **%s** |", name, plain(text), out))
	}
	note := fmt.Sprintf("%d words are not in the phrasebook and stand in ⟨brackets⟩ as they were.", missing)
	if missing == 0 {
		note = "Put together from phrases, so mind the grammar."
	}
	if d.voice.chatty == 0 {
		return plain(out) + "\n\n" + note
	}
	return d.opened(fmt.Sprintf("**%s:** %s\n\n%s\n\n> %s", name, plain(out), note, plain(shorten(text, 200))))
}
