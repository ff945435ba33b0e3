package prose

import (
	"regexp"
	"strings"
)

// turn is a turn of phrase and another that says the same.
type turn struct {
	find *regexp.Regexp
	with string
}

func turns() []turn {
	var out []turn
	for _, line := range strings.Split(strings.TrimSpace(turnList), "\n") {
		from, to, _ := strings.Cut(line, " = ")
		out = append(out, turn{regexp.MustCompile(`(?i)\b` + from + `\b`), to})
	}
	return out
}

const turnList = `
in order to = to
due to the fact that = because
despite the fact that = although
at this point in time = now
at the moment = now
in the event that = if
a large number of = many
a lot of = many
lots of = many
is able to = can
are able to = can
has to = must
have to = must
as well as = and also
such as = like
for example = for instance
in addition = besides
as a result = therefore
on the other hand = by contrast
take care of = look after
find out = learn
carry out = perform
set up = arrange
sat on = was sitting on
sat in = was sitting in
went to = travelled to
make sure = ensure
point out = mention
all of the = all the
in my opinion = to my mind
it is important to = one should
there is no doubt that = certainly`

// synonyms maps a word to another of the same meaning and form.
func synonyms() map[string]string {
	m := map[string]string{}
	for _, pair := range strings.Fields(synonymList) {
		a, b, _ := strings.Cut(pair, "=")
		m[a] = strings.ReplaceAll(b, "_", " ")
	}
	return m
}

// Only words that can be exchanged wherever they stand; most cannot.
const synonymList = `
big=large large=big small=little quick=fast quickly=rapidly slowly=gradually begins=starts began=started started=began helps=assists helped=assisted
buy=purchase buys=purchases bought=purchased showed=demonstrated used=employed tries=attempts tried=attempted
important=significant difficult=hard happy=glad sad=unhappy angry=furious beautiful=lovely
therefore=thus thus=therefore however=yet because=since although=though often=frequently frequently=often sometimes=occasionally always=invariably usually=normally
maybe=perhaps perhaps=maybe almost=nearly nearly=almost many=numerous entire=whole
answered=replied replied=answered asked=inquired chose=selected choose=select chooses=selects build=construct builds=constructs built=constructed
changed=altered altered=changed retained=kept believes=thinks stated=said said=stated
allow=permit allows=permits allowed=permitted ceased=stopped happen=occur happens=occurs happened=occurred seem=appear seems=appears seemed=appeared
improve=enhance improves=enhances improved=enhanced reduces=lowers reduced=lowered increased=raised explains=clarifies explained=clarified
child=youngster children=youngsters car=automobile cars=automobiles road=street roads=streets task=job tasks=jobs error=mistake errors=mistakes mistake=error mistakes=errors
problem=difficulty problems=difficulties idea=notion ideas=notions goal=aim goals=aims outcome=result result=outcome results=outcomes
mat=rug rug=mat cat=feline cats=felines customer=client customers=clients company=firm companies=firms money=funds price=cost prices=costs
quiet=silent silent=quiet loud=noisy bright=radiant soon=shortly later=afterwards strange=odd odd=strange clever=smart smart=clever excellent=superb`
