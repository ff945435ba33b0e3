package paint

import "strings"

// vocabulary maps a word to what it puts into a scene: "kind:value", several
// with blanks between.
func vocabulary() map[string]string {
	m := make(map[string]string, 400)
	for _, line := range strings.Split(strings.TrimSpace(wordList), "\n") {
		entry, words, _ := strings.Cut(line, "=")
		for _, w := range strings.Fields(words) {
			m[w] = strings.TrimSpace(entry)
		}
	}
	return m
}

const wordList = `
time:dawn = dawn sunrise morning daybreak aurore
time:day = day noon midday daytime daylight afternoon
time:dusk = dusk sunset evening twilight golden sundown dämmerung crepuscule
time:night = dark night midnight nighttime nocturnal starry nacht nuit noche 夜
time:night weather:stars = star constellation galaxy milky 星
time:night weather:aurora = aurora borealis northern
time:night thing:moon = moon moonlit moonlight lune mond luna 月
thing:sun = sun sunny soleil sonne sol 日
season:winter weather:snow = snow snowy snowfall blizzard snowing schnee neige nieve 雪
season:winter = winter ice icy frozen frost frosty glacier arctic christmas hiver invierno
season:autumn = autumn fall autumnal october november herbst automne otoño 秋
season:spring = spring april blossom cherry sakura 春
season:summer = summer summery july august été sommer verano 夏
weather:rain = rain rainy raining drizzle downpour regen pluie lluvia 雨
weather:rain weather:storm = storm stormy thunder thunderstorm lightning tempest
weather:fog = fog foggy mist misty haze hazy smoke foggy nebel
weather:clouds = cloud cloudy overcast clouded 雲 云
weather:clear = clear cloudless
weather:rainbow = rainbow
place:sea = sea ocean seaside coast coastal shore beach wave harbour harbor bay cliff mer meer mar 海
place:sea thing:island = island islet 島 岛
place:lake = lake river pond fjord reflection lagoon stream waterfall water 湖
place:mountains = mountain mountains alps alpine peak summit himalaya berg montagne montaña 山
place:hills = hill valley countryside landscape vineyard rolling village
place:meadow = meadow field garden grass grassland prairie park lawn savanna
place:forest = forest wood woods woodland jungle pine fir birch grove wald forêt bosque 森 林
place:city = city town skyline street downtown skyscraper tokyo paris london york manhattan cyberpunk urban building rooftop alley stadt ville ciudad 城 街
place:desert = desert dune sahara sand oasis canyon mesa mars wüste désert desierto
place:space = space cosmos cosmic nebula universe orbit interstellar spaceship 宇
place:space thing:planet = planet saturn jupiter asteroid
place:portrait thing:person = portrait face bust selfie headshot
thing:person = woman man girl boy person lady queen king child wizard samurai knight people
place:abstract = abstract geometric pattern shapes composition fractal swirl
thing:lighthouse = lighthouse beacon phare leuchtturm faro 灯
thing:boat = boat ship sailboat sail yacht fishing ferry canoe schiff bateau barco 船 舟
thing:house = house cabin cottage hut barn farm farmhouse home haus maison casa 家
thing:castle = castle fortress palace tower fort burg château castillo
thing:windmill = windmill mill
thing:tree = tree oak willow palm maple baum arbre árbol 木 樹
thing:flower = flower rose tulip daisy poppy sunflower lotus lily bouquet lavender blume fleur flor 花
thing:cat = cat kitten kitty tabby katze chat gato 猫
thing:fox = fox fuchs renard zorro 狐
thing:dog = dog puppy hound corgi hund chien perro 犬 狗
thing:rabbit = rabbit bunny hare
thing:owl = owl
thing:deer = deer stag elk moose reindeer
thing:bird = bird gull seagull swallow crow raven eagle crane swan heron sparrow robin vogel oiseau pájaro 鳥 鸟
thing:fish = fish koi goldfish
thing:whale = whale dolphin orca
thing:butterfly = butterfly moth
thing:balloon = balloon
thing:rocket = rocket spacecraft shuttle
thing:astronaut = astronaut cosmonaut
thing:pyramid = pyramid egypt
thing:cactus = cactus cacti saguaro
thing:mushroom = mushroom toadstool
thing:tent = tent camp camping campfire
thing:bridge = bridge
style:oil = oil impasto impressionist impressionism gogh monet painterly painting brush brushstroke
style:watercolour = watercolour watercolor aquarelle gouache
style:ink = ink sumi calligraphy monochrome etching woodcut
style:neon = neon synthwave vaporwave cyberpunk retrowave outrun
style:pencil = pencil sketch charcoal drawing graphite
style:poster = poster flat vector minimal minimalist minimalistic illustration cartoon
style:pixel = pixel pixelart bit
style:photo = photo photograph photorealistic realistic cinematic photography
colour:red = red crimson scarlet ruby rot rouge rojo 赤 红
colour:orange = orange amber tangerine ginger
colour:yellow = yellow lemon gelb jaune
colour:green = green emerald jade mint grün vert verde 绿
colour:teal = teal turquoise cyan aqua
colour:blue = blue azure indigo cobalt sapphire blau bleu azul 青 蓝
colour:purple = purple violet lilac magenta
colour:pink = pink rosy salmon coral
colour:gold = gold gilded bronze
colour:white = white ivory cream weiss blanc 白
colour:black = black obsidian schwarz noir 黑 黒
colour:grey = grey gray silver
colour:brown = brown sepia chestnut
`
