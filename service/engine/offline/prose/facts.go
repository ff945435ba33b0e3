package prose

import "strings"

// subject is what can be said about a topic.
type subject struct {
	known   bool
	what    string
	why     string
	parts   [][2]string
	pitfall string
	image   string // an analogy
}

// subjectOf finds the topic among the few the engine knows something about, or
// makes up the shape of an answer without claiming anything.
func subjectOf(a ask) subject {
	low := strings.ToLower(a.topic + " " + a.prompt)
	for _, s := range strings.Split(strings.TrimSpace(knowledge), "\n\n") {
		lines := strings.Split(s, "\n")
		if !match(low, `\b(?:`+lines[0]+`)\b`) {
			continue
		}
		out := subject{known: true, what: lines[1], why: lines[2], pitfall: lines[3], image: lines[4]}
		for _, p := range lines[5:] {
			name, gloss, _ := strings.Cut(p, ": ")
			out.parts = append(out.parts, [2]string{name, gloss})
		}
		return out
	}
	t := a.topic
	return subject{
		what:    "A real model would open with what “" + t + "” means and when it matters.",
		why:     "It would then give the one reason that most people ask about it.",
		pitfall: "It would name the mistake that beginners make most often.",
		image:   "It would finish with a picture from everyday life.",
		parts: [][2]string{
			{"Meaning", "the shortest true sentence about " + t},
			{"Use", "where one meets it, with one example"},
			{"Limits", "when something else is the better choice"},
			{"Next step", "what to read or to try in ten minutes"},
		},
	}
}

// Each block: pattern, what, why, pitfall, analogy, then parts.
const knowledge = `
crdts?
A CRDT is a data type whose copies can be changed apart and merged later without conflict.
It lets people edit offline, or far from one another, and still end up with the same document.
Merging never fails, but it may give a result that nobody typed.
Two bakers each keep a copy of one recipe book; in the evening the notes of both are laid together, and since notes are only ever added, the order does not matter.
Commutative: any order of changes gives the same result
Associative: changes may be grouped in any way
Idempotent: seeing a change twice does no harm
Tombstones: what was deleted leaves a mark, which costs room

recursion|recursive
Recursion solves a problem by solving a smaller one of the same kind, down to a case that is trivial.
Trees, folders and grammars are nested themselves, so the code takes the shape of the data.
Without a base case it never ends, and every call costs a frame of the stack.
It is a set of nesting dolls: open one, find the same task again, smaller, until the last one is solid.
Base case: the input that is answered directly
Step: the call on something smaller
Progress: the guarantee that it really gets smaller
Tail call: the form that some compilers turn into a loop

dns
DNS turns a name such as example.org into the addresses that machines use.
People remember names, while addresses change when a service moves.
An old answer lives in caches until its time to live is over, so a change is not seen at once.
It is asking for directions: each person you ask knows only who to ask next.
Resolver: asks on your behalf and remembers
Root and TLD: know who is in charge of an ending
Authority: knows the records of one domain
TTL: how long an answer may be reused

tcp|udp
TCP delivers a stream whole and in order; UDP sends single datagrams and promises nothing.
One suits files and web pages, the other suits calls and games, where late is as bad as lost.
Reliability built on top of UDP by hand often becomes a slow TCP.
TCP is registered post with a receipt; UDP is a postcard.
Handshake: TCP agrees first, UDP just sends
Order: TCP keeps it, UDP does not
Loss: TCP sends again, UDP forgets
Cost: TCP keeps state, UDP almost none

(?:database |sql )?index(?:es|ing)?|b-?tree
An index is a sorted copy of some columns that leads to the rows they came from.
It replaces reading a whole table by a few steps down a tree.
Every index makes writing slower and takes room, so one that no query uses is a cost only.
It is the register at the back of a book: keep it up to date, or it sends you to the wrong page.
Selectivity: how few rows a value leaves
Order: the first column decides most
Covering: the index alone answers the query
Plan: ask the database whether it uses the index

git|rebase|merge commit
Git keeps a history of snapshots, each of which names its parents.
A branch is only a name for one of them, so making one is free.
Rewriting what others have already fetched makes them merge the same work twice.
It is a family tree of photographs: a branch is the newest picture of one line.
Commit: a snapshot with a message and parents
Branch: a name that moves along
Merge: a snapshot with two parents
Rebase: the same changes told again on another parent

goroutines?|channels?|concurrency
A goroutine is a function that runs on its own; a channel hands values from one to another.
Waiting then costs little, and shared state can be replaced by passing things on.
A goroutine that nobody ends is a leak, and nobody reports it.
It is a kitchen: cooks work side by side and hand plates through one hatch.
Start: the keyword go before a call
Hand over: an unbuffered channel waits for both sides
End: a context or a closed channel says when
Check: the race detector finds what was forgotten

docker|containers?
A container is a process that sees its own files, network and users, although it shares the kernel.
The same image runs on a laptop and on a server, with everything it needs inside.
It is no virtual machine: the kernel, and its holes, are shared.
It is a lunch box: everything for one meal, carried in one hand, put down anywhere.
Image: the files, in layers
Container: one running process tree
Volume: what outlives it
Registry: where images are kept

neural networks?|machine learning|deep learning
A neural network is a chain of simple sums with adjustable weights, tuned on examples.
It finds patterns that nobody could write down as rules.
It is sure of itself also where it has never seen anything alike.
It is a mixing desk with a million sliders, each nudged a little after every song.
Data: examples with the wanted result
Loss: how wrong the guesses are
Gradient: which way each weight should move
Holdout: examples kept aside, to see whether it learnt or memorised

encryption|public[- ]key|cryptography
Public-key cryptography uses two keys: what one locks, only the other opens.
Strangers can agree on a secret over a line that everybody hears.
The mathematics is rarely what breaks; keys left lying about are.
It is a letter box: anyone can drop something in, one person can take it out.
Public key: may be known to all
Private key: never leaves its owner
Signature: proves who wrote it
Certificate: ties a key to a name

photosynthesis
Photosynthesis turns light, water and carbon dioxide into sugar and oxygen.
Nearly all food chains begin with it, and so does the oxygen we breathe.
Plants breathe too: at night they use oxygen as we do.
A leaf is a kitchen with a glass roof: the sun is the stove, air and water the larder.
Light reactions: split water and charge the cell's batteries
Calvin cycle: builds sugar from carbon dioxide
Chlorophyll: takes up red and blue and leaves green
Stomata: pores that trade air for water

black holes?
A black hole is a region from which nothing returns, because escape would need more than the speed of light.
It shows what gravity does when nothing holds against it.
It does not suck: from afar it pulls like any mass of its size.
It is a waterfall upstream of which every boat is free, until the current is faster than it can row.
Horizon: the border of no return
Singularity: where the equations stop
Disc: glowing matter that falls in
Evidence: orbits of stars, waves of mergers, two pictures of shadows

coffee|espresso
Good coffee is water of the right heat that meets fresh grounds for the right time.
Each of these three can be changed alone, which makes it easy to learn.
Changing two at once teaches nothing.
It is tuning a string: too tight is bitter, too slack is sour.
Grind: finer brews faster and stronger
Ratio: about 60 g to the litre
Heat: 90 to 96 °C
Time: half a minute for espresso, four for a press

sourdough|bread|baking
Sourdough bread rises by wild yeast and bacteria that live in a starter of flour and water.
They give taste and keep the loaf fresh for days.
The clock is a poor guide: the same dough is twice as fast in summer.
A starter is a pet: feed it, keep it warm, and it works for you.
Feed: flour and water, hours before
Fold: instead of kneading
Proof: until it springs back slowly
Bake: hot, with steam at first

lighthouses?
A lighthouse marks a coast or a danger with a light that sailors can tell from all others.
Its rhythm, colour and height tell a ship where it is.
A lit tower does not help those who do not know its rhythm.
It is a name called out in the dark, again and again, in a voice of its own.
Lens: rings of glass bend the light into a beam
Character: the rhythm, written in every chart
Range: the height above the sea decides
Keeper: today mostly a radio link

rainbows?
A rainbow is sunlight bent and mirrored in drops of rain, each colour by a slightly different angle.
It stands opposite the sun, at about 42 degrees.
Nobody can reach it: it belongs to the place of the eye.
Each drop is a tiny prism with a mirror at its back.
Refraction: light bends as it enters
Reflection: it turns round inside
Dispersion: blue bends more than red
Second bow: two reflections, colours the other way round

rust|ownership|borrow checker
In Rust every value has one owner, and the compiler knows when it is given back.
Memory is safe without a collector, and data races do not compile.
Fighting the borrow checker is often a sign that the data has no clear owner.
It is a library book: lend it to many readers, or to one who may write in it, never both.
Move: the value changes its owner
Borrow: a look at it for a while
Mutable borrow: one at a time
Lifetime: how long a borrow may last

sqlite
SQLite is a database in one file, used through a library in the same process.
There is no server to run, and a copy of the file is a copy of the data.
One writer at a time: long transactions make the others wait.
It is a notebook, where others rent an archive.
WAL: readers and a writer side by side
Transaction: all or nothing
Types: belong to values more than to columns
Backup: the backup command, not cp of a live file

refunds?|customer
A refund policy says who gets money back, for what, and until when.
Clear terms cost less than the letters that unclear ones bring.
A promise in the shop and another on the receipt is a promise broken.
It is a return ticket: good for a while, on stated trains.
Window: how many days
Proof: what must be shown
State: used, opened or as new
Way back: money, credit or exchange
`
