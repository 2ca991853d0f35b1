// long: it compiles Open Policy Agent
import { beforeAll, expect, it } from "vitest";
import { loadProgram } from "./load-program.ts";
import { type Reactor, startReactor } from "./thread/reactor.ts";

/** Says all that a module can see of its input. */
const TEXT = `package seen

deny contains json.marshal(input)

deny contains sprintf("%v", [input])

require_approval contains sprintf("%v %s", [path, type_name(value)]) if walk(input, [path, value])

require_approval contains sprintf("%v twice", [a]) if {
	some i, a in input.args.list
	some j, b in input.args.list
	i < j
	a == b
}
`;

let reactor: Reactor;
let handle: number;

beforeAll(async () => {
  reactor = await startReactor(await loadProgram(null));
  const { text } = reactor.call(JSON.stringify({ op: "prepare", text: TEXT, data: null }));
  handle = (JSON.parse(text) as { readonly handle: number }).handle;
});

const DEEP = 200;

/** White space sends an input through OPA's own reader. */
it.each([
  ["a call", '{"args":{"amount":1.5,"list":[1,1,"a",true,null]},"time":"2026-01-01T00:00:00Z","tool":"t"}'],
  ["nothing", '{"args":{"a":{},"list":[],"s":""}}'],
  ["escapes", String.raw`{"args":{"\"\\\/\b\f\n\r\t":"\u00e9\ud83d\ude00\u0000\ud800","list":["\"","\\"]}}`],
  ["other alphabets", '{"args":{"日本":"é😀","list":["\u2028","\u007f"]}}'],
  ["whole numbers", '{"args":{"list":[0,-0,-1,10,1,511,512,513,9007199254740993,123456789012345678901]}}'],
  ["fractions", '{"args":{"list":[0.1,-0.5,1.0,1.50,0.000001,1,1.0]}}'],
  ["exponents", '{"args":{"list":[1e2,1E+2,1e-7,1.5e300,1e400,100]}}'],
  ["an exponent that is too large", '{"args":{"list":[1e999999999999]}}'],
  ["members of no order", '{"args":{"b":1,"a":2,"list":[]}}'],
  ["a member that comes twice", '{"args":{"a":1,"a":2,"list":[]}}'],
  ["objects that are equal", '{"args":{"list":[{"a":1,"b":[2]},{"a":1,"b":[2]},{"b":[2],"a":1}]}}'],
  [
    "more members than fit at once",
    JSON.stringify({ args: { list: Array.from({ length: 99 }, (_, i) => i) } }),
  ],
  ["a long input", JSON.stringify({ args: { a: "x".repeat(5_000), list: ["y".repeat(100)] } })],
  ["a long name", JSON.stringify({ args: { ["n".repeat(100)]: 1, list: [] } })],
  ["many levels", `{"args":{"list":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}}`],
  ["no object", '"text"'],
  ["a number that begins with 0", "01"],
])("%s means what it means to Open Policy Agent", (_, text) => {
  const own = reactor.evaluate(handle, text);
  expect(own).toEqual(reactor.evaluate(handle, ` ${text}`));
  // The second time the names of the members are known.
  expect(reactor.evaluate(handle, text)).toEqual(own);
});

it.each([
  "",
  "{",
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  '{"a":1,}',
  "{a:1}",
  "[1",
  "[1,]",
  '"a',
  '"a\\',
  '"\\x"',
  '"\n"',
  "tru",
  "nul",
  "-",
  "1.",
  ".5",
  "+1",
  "1e",
])("%j is not an input", (text) => {
  expect(reactor.evaluate(handle, text)).toEqual({ kind: "error", text: "the evaluation failed" });
});
