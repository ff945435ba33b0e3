package prose

// snippets are the programs that are known: "=== task language", then the code.
// "frame" is what stands in for any other task.
const snippets = `
=== reverse go
func Reverse(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// Reverse("héllo") == "olléh"
=== reverse python
def reverse(s: str) -> str:
    return s[::-1]


assert reverse("héllo") == "olléh"
=== reverse javascript
const reverse = (s) => [...s].reverse().join("");

console.log(reverse("héllo")); // olléh
=== reverse typescript
export const reverse = (s: string): string => [...s].reverse().join("");

console.log(reverse("héllo")); // olléh
=== reverse rust
fn reverse(s: &str) -> String {
    s.chars().rev().collect()
}

fn main() {
    assert_eq!(reverse("héllo"), "olléh");
}
=== reverse bash
reverse() { rev <<<"$1"; }

reverse "hello" # olleh
=== reverse sql
select reverse('hello'); -- olleh
=== reverse c
void reverse(char *s) {
    for (char *e = s + strlen(s); s < e && s < --e; s++) {
        char c = *s;
        *s = *e;
        *e = c;
    }
}
=== fizzbuzz go
for i := range 100 {
	switch n := i + 1; {
	case n%15 == 0:
		fmt.Println("FizzBuzz")
	case n%3 == 0:
		fmt.Println("Fizz")
	case n%5 == 0:
		fmt.Println("Buzz")
	default:
		fmt.Println(n)
	}
}
=== fizzbuzz python
for n in range(1, 101):
    print("Fizz" * (n % 3 == 0) + "Buzz" * (n % 5 == 0) or n)
=== fizzbuzz javascript
for (let n = 1; n <= 100; n++) {
  console.log((n % 3 ? "" : "Fizz") + (n % 5 ? "" : "Buzz") || n);
}
=== fizzbuzz rust
fn main() {
    for n in 1..=100 {
        match (n % 3, n % 5) {
            (0, 0) => println!("FizzBuzz"),
            (0, _) => println!("Fizz"),
            (_, 0) => println!("Buzz"),
            _ => println!("{n}"),
        }
    }
}
=== fizzbuzz bash
for n in {1..100}; do
  out=""
  ((n % 3)) || out+=Fizz
  ((n % 5)) || out+=Buzz
  echo "${out:-$n}"
done
=== fizzbuzz sql
with recursive t(n) as (select 1 union all select n + 1 from t where n < 100)
select case when n % 15 = 0 then 'FizzBuzz' when n % 3 = 0 then 'Fizz' when n % 5 = 0 then 'Buzz' else cast(n as text) end
from t;
=== fizzbuzz typescript
for (let n = 1; n <= 100; n++) {
  const out = (n % 3 ? "" : "Fizz") + (n % 5 ? "" : "Buzz");
  console.log(out || n);
}
=== fizzbuzz c
for (int n = 1; n <= 100; n++) {
    if (n % 15 == 0) puts("FizzBuzz");
    else if (n % 3 == 0) puts("Fizz");
    else if (n % 5 == 0) puts("Buzz");
    else printf("%d\n", n);
}
=== fibonacci go
func Fibonacci(n int) int {
	a, b := 0, 1
	for range n {
		a, b = b, a+b
	}
	return a
}

// Fibonacci(10) == 55
=== fibonacci python
def fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


assert fibonacci(10) == 55
=== fibonacci javascript
function* fibonacci() {
  let [a, b] = [0, 1];
  while (true) {
    yield a;
    [a, b] = [b, a + b];
  }
}
=== fibonacci rust
fn fibonacci(n: u32) -> u64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}
=== fibonacci sql
with recursive fib(a, b) as (select 0, 1 union all select b, a + b from fib where b < 1000)
select a from fib;
=== palindrome python
def is_palindrome(text: str) -> bool:
    letters = [c.lower() for c in text if c.isalnum()]
    return letters == letters[::-1]


assert is_palindrome("A man, a plan, a canal: Panama")
=== palindrome go
func IsPalindrome(s string) bool {
	r := []rune(strings.ToLower(s))
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		if r[i] != r[j] {
			return false
		}
	}
	return true
}
=== palindrome javascript
const isPalindrome = (text) => {
  const s = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  return s === [...s].reverse().join("");
};
=== prime python
def primes(limit: int) -> list[int]:
    sieve = bytearray([1]) * (limit + 1)
    sieve[:2] = b"\0\0"
    for n in range(2, int(limit**0.5) + 1):
        if sieve[n]:
            sieve[n * n :: n] = bytes(len(sieve[n * n :: n]))
    return [n for n, p in enumerate(sieve) if p]
=== prime go
func IsPrime(n int) bool {
	if n < 2 {
		return false
	}
	for d := 2; d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return true
}
=== prime javascript
const isPrime = (n) => {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return n > 1;
};
=== server go
package main

import (
	"fmt"
	"log"
	"net/http"
)

func main() {
	http.HandleFunc("GET /{name}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "Hello, %s\n", r.PathValue("name"))
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", nil))
}
=== server python
from http.server import BaseHTTPRequestHandler, HTTPServer


class Hello(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello\n")


HTTPServer(("127.0.0.1", 8080), Hello).serve_forever()
=== server javascript
import { createServer } from "node:http";

createServer((req, res) => res.end("hello\n")).listen(8080, "127.0.0.1");
=== hello go
package main

import "fmt"

func main() { fmt.Println("Hello, world") }
=== hello python
print("Hello, world")
=== hello rust
fn main() {
    println!("Hello, world");
}
=== hello javascript
console.log("Hello, world");
=== hello bash
echo "Hello, world"
=== hello c
#include <stdio.h>

int main(void) { puts("Hello, world"); }
=== words python
from collections import Counter
from pathlib import Path

words = Counter(Path("text.txt").read_text().lower().split())
for word, n in words.most_common(10):
    print(f"{n:6} {word}")
=== words go
func Words(text string) map[string]int {
	n := map[string]int{}
	for _, w := range strings.Fields(strings.ToLower(text)) {
		n[w]++
	}
	return n
}
=== words bash
tr -cs '[:alpha:]' '\n' <text.txt | tr A-Z a-z | sort | uniq -c | sort -rn | head
=== words javascript
const words = (text) =>
  Object.groupBy(text.toLowerCase().match(/\p{L}+/gu) ?? [], (w) => w);
=== sort python
people = [("Ada", 36), ("Grace", 85), ("Alan", 41)]
people.sort(key=lambda p: p[1])
=== sort go
slices.SortFunc(people, func(a, b Person) int {
	return cmp.Or(cmp.Compare(a.Age, b.Age), strings.Compare(a.Name, b.Name))
})
=== sort javascript
people.sort((a, b) => a.age - b.age || a.name.localeCompare(b.name));
=== sort sql
select name, age from people order by age, name;
=== sort rust
people.sort_by(|a, b| a.age.cmp(&b.age).then_with(|| a.name.cmp(&b.name)));
=== top sql
select customer, count(*) as orders, sum(total) as spent
from orders
where created >= date('now', '-30 days')
group by customer
order by spent desc
limit 10;
=== frame go
// Name does one thing; what that is stands here.
func Name(input []string) ([]string, error) {
	out := make([]string, 0, len(input))
	for _, item := range input {
		if item == "" {
			continue
		}
		out = append(out, item) // here
	}
	return out, nil
}
=== frame python
def name_it(items: list[str]) -> list[str]:
    """Do one thing with every item."""
    out = []
    for item in items:
        if not item:
            continue
        out.append(item)  # here
    return out


if __name__ == "__main__":
    print(name_it(["a", "", "b"]))
=== frame javascript
export function NAME(items) {
  return items
    .filter((item) => item !== "")
    .map((item) => item); // here
}

console.log(NAME(["a", "", "b"]));
=== frame typescript
export function NAME(items: readonly string[]): string[] {
  return items.filter((item) => item !== "").map((item) => item); // here
}
=== frame rust
fn name_it(items: &[&str]) -> Vec<String> {
    items
        .iter()
        .filter(|item| !item.is_empty())
        .map(|item| item.to_string()) // here
        .collect()
}
=== frame sql
create table name_it (
    id      integer primary key,
    item    text not null check (item <> ''),
    created integer not null default (unixepoch())
);

select item from name_it order by created desc limit 10; -- here
=== frame bash
#!/usr/bin/env bash
set -euo pipefail

name_it() {
  while IFS= read -r item; do
    [[ -n $item ]] || continue
    printf '%s\n' "$item" # here
  done
}

name_it < "${1:-/dev/stdin}"
=== frame c
size_t name_it(const char **items, size_t n, const char **out) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (items[i] && *items[i]) out[kept++] = items[i]; /* here */
    return kept;
}
=== frame html
<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Name</title></head>
  <body><main><!-- here --></main></body>
</html>
=== frame css
.name_it {
  display: grid;
  gap: 1rem; /* here */
}
=== frame text
function NAME(items)
  for each item in items
    skip it when empty
    keep it            -- here
  give back what was kept
`
