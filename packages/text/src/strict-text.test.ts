import { expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import { parseStrictJsonText } from "./strict-json-text.ts";
import { strictText } from "./strict-text.ts";

function read(text: string) {
  const found = parseStrictJsonText(text);
  return found.ok ? found.value : expect.unreachable(`${text} is strict JSON`);
}

it.each([
  '{"b":1,"a":{"d":[{"z":null,"y":true}],"c":"x"}}',
  '{"toJSON":"a","valueOf":{"toString":1}}',
  '{"":{"\\u0000":"\\ud83d\\ude00\u2028"}}',
  "[1e-7,0.1,9007199254740991,[],{}]",
])("writes %s in its own order, as the value that it is", (text) => {
  const value = read(text);
  const written = strictText(value);
  expect(written).toBe(JSON.stringify(JSON.parse(text)));
  expect(canonicalJson(read(written))).toBe(canonicalJson(value));
});

it("puts names that are array indexes first", () => {
  expect(strictText(read('{"b":1,"7":2,"a":3}'))).toBe('{"7":2,"b":1,"a":3}');
});
