package markdown_test

// sample has what answers have.
const sample = `# A shared recipe book

Two bakers each copy the recipe book and write in *their own* copy. In the evening the copies are laid **side by side** and merged: notes are only ever added, never rubbed out, so it does not matter who wrote first. See [the paper](https://example.com/crdt) or https://example.org/a/very/long/address/that/does/not/fit/on/one/line/of/eighty/cells.

## What follows

- no lock on the book
- any order gives the same result, and this item is long enough to need a second line at the least
  - a nested item with ` + "`code`" + `
    1. deeper
    2. and deeper
- [ ] not done
- [x] done

1. First, write it down.

   A second paragraph of the first item.

   ` + "```go\n   func merge(a, b Book) Book { // notes are only ever added, so that the order does not matter\n   \treturn a.union(b)\n   }\n   ```" + `

2. Then sleep.

> A quote that is
> long enough to be broken in a narrow column, with **bold** text.
>
> > and a quote in it

| Kind | Merge | Cost |
|:-----|:-----:|-----:|
| G-Counter | maximum of each entry | 1 |
| OR-Set | union of the tagged elements, without those removed | 12 |

` + "```python\ndef merge(a: set, b: set) -> set:\n    \"\"\"Notes are only ever added.\"\"\"\n    return a | b  # any order\n```" + `

A hard  
break, an entity &mdash; &lt;b&gt;, an escape \*, ~~struck~~ and <br> a tag <kbd>ctrl</kbd>.

---

### Smaller

That is all.
`

const international = `# 共有レシピ帳

二人のパン職人がそれぞれレシピ帳を写し、自分の写しに書き込みます。夕方になると写しを並べて
統合します：メモは追加されるだけで、決して消されません（順序は関係ありません）。

- 本にロックは不要です。どの順番でも同じ結果になります。
- 한국어 문장도 줄바꿈이 올바르게 되어야 합니다. 그렇지 않으면 읽기 어렵습니다.

| 名前 | 意味 |
|---|---|
| 和集合 | すべての要素をまとめたもので、削除されたものを除きます |
| Emoji | 👩‍💻 👍🏽 🇩🇪 ❤️ 1️⃣ |

مرحبا بالعالم، هذا نص من اليمين إلى اليسار. שלום עולם.

हिन्दी में एक वाक्य जो पंक्ति से लंबा है और टूटना चाहिए। ประโยคภาษาไทยที่ทำให้ยาวกว่าหนึ่งบรรทัด

Z̸̢̛a̵̡l̷̛g̶̢o̴ and Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.
`
