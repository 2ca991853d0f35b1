/** Names and bodies of rules that do not end in their time, or that need more memory than there is. */
const BODIES: Readonly<Record<string, string>> = {
  "nested loops": `
    r := numbers.range(1, 100000)
    some a in r; some b in r; a + b == 0`,
  "nested array comprehensions": `
    x := [[a, b] | some a in numbers.range(1, 100000); some b in numbers.range(1, 100000)]
    count(x) < 0`,
  "a set comprehension": `
    r := numbers.range(1, 900)
    x := {[a, b, c] | some a in r; some b in r; some c in r}
    count(x) < 0`,
  "an object comprehension": `
    r := numbers.range(1, 9000)
    x := {k: v | some a in r; some b in r; k := sprintf("%d:%d", [a, b]); v := k}
    count(x) < 0`,
  "every of every": `
    every a in numbers.range(1, 100000) { every b in numbers.range(1, 100000) { a + b > 0 } }
    false`,
  "a long range": "count(numbers.range(1, 100000000)) < 0",
  "a range downwards": "count(numbers.range(100000000, 1)) < 0",
  "a range in steps": "count(numbers.range_step(1, 200000000, 2)) < 0",
  "a long text": `
    x := [s | some i in numbers.range(1, 10000000); s := concat("", ["0123456789", sprintf("%d", [i])])]
    count(concat(",", x)) < 0`,
  "a text of texts": `
    a := concat("", [s | some i in numbers.range(1, 100000); s := "0123456789"])
    x := [s | some i in numbers.range(1, 100000); s := replace(a, "0", sprintf("%d", [i]))]
    count(x) < 0`,
  "replacements that grow": `
    a := concat("", [s | some i in numbers.range(1, 20000); s := "aaaaaaaaaa"])
    count(replace(replace(a, "a", a), "a", a)) < 0`,
  "many patterns": `
    some i in numbers.range(1, 10000000)
    regex.match(sprintf("^(a{1,%d}b?){1,10}$", [i % 90 + 1]), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")
    i < 0`,
  "a pattern with large counts": `
    some i in numbers.range(1, 10000000)
    regex.match("^((a{1,30}){1,30}b?)+$", concat("", ["aaaaaaaaaaaaaaaaaaaaaaaaaaaa!", sprintf("%d", [i])]))
    i < 0`,
  "a split at every character": `
    a := concat("", [s | some i in numbers.range(1, 200000); s := "aaaaaaaaaa"])
    some i in numbers.range(1, 10000)
    count(regex.split("a", a)) < i - 100000`,
  "all matches": `
    a := concat("", [s | some i in numbers.range(1, 100000); s := "aaaaaaaaaa"])
    some i in numbers.range(1, 10000)
    count(regex.find_n("a+?", a, -1)) < 0`,
  "patterns that intersect": `
    some i in numbers.range(1, 10000000)
    regex.globs_match("[a-z0-9]+[a-z0-9]*[a-z0-9]+.*", sprintf("[a-z]+.*[0-9]+%d", [i]))
    i < 0`,
  globs: `
    some i in numbers.range(1, 10000000)
    glob.match("{a,b,{c,d}}*{e,f}*{g,h}*", [], sprintf("aaaaaaaaaaaaaaaaaaaaa%d", [i]))
    i < 0`,
  "a walk": `
    x := {"a": numbers.range(1, 100000)}
    walk(x, [p, v]); walk(x, [q, w]); count(p) + count(q) < 0; v == w`,
  "a graph": `
    r := numbers.range(1, 2000)
    g := {sprintf("%d", [a]): e | some a in r; e := [s | some b in r; s := sprintf("%d", [b])]}
    count(graph.reachable_paths(g, {"1"})) < 0`,
  unions: `
    x := {a | some a in numbers.range(1, 200000)}
    some i in numbers.range(1, 100000)
    count(x | {i}) < 0`,
  "sorted again and again": `
    x := numbers.range(1, 100000)
    some i in numbers.range(1, 100000)
    count(sort(array.concat(x, [i]))) < 0`,
  powers: `
    some i in numbers.range(1, 10000000)
    bits.lsh(1, 1000000) + i < 0`,
  "numbers with many digits": `
    a := bits.lsh(1, 2000000)
    some i in numbers.range(1, 1000000)
    (a * a) * (a + i) < 0`,
  JSON: `
    x := json.marshal(numbers.range(1, 200000))
    some i in numbers.range(1, 100000)
    count(json.unmarshal(x)) < i - 1000000`,
  YAML: `
    x := yaml.marshal(numbers.range(1, 100000))
    some i in numbers.range(1, 100000)
    count(yaml.unmarshal(x)) < i - 1000000`,
  digests: `
    some i in numbers.range(1, 10000000)
    crypto.sha256(sprintf("%d", [i])) == "x"`,
};

const RULES = `deny contains "found" if is_found
require_approval contains input.tool if is_found
`;

/** Twenty-five bodies, each as it stands and behind a helper with a second rule beside it. */
export const HOSTILE_MODULES: readonly (readonly [name: string, text: string])[] = Object.entries(BODIES)
  .slice(0, 25)
  .flatMap(([name, body]) => [
    [name, `package p\ndeny contains "found" if {${body}\n}\n`] as const,
    [`${name}, behind a helper`, `package p\nis_found if {${body}\n}\n${RULES}`] as const,
  ]);

/** Its check takes seconds on any machine: the type of each name has twice the size of the one before. */
export const SLOW_TO_COMPILE = [
  "package p",
  "x0 := [input.tool]",
  ...Array.from({ length: 40 }, (_, at) => `x${String(at + 1)} := [x${String(at)}, x${String(at)}]`),
  'deny contains "no" if x40 == 1',
].join("\n");

/** Says no to every call, and does not end when the call has `hang`. */
export const HANGS_WHEN_ASKED = `package p

deny contains "no"

deny contains "hangs" if {
	input.args.hang
	r := numbers.range(1, 100000)
	some a in r
	some b in r
	a + b == 0
}
`;
