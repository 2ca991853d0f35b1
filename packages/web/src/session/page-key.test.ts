import { expect, it } from "vitest";
import { PageKey } from "./page-key.ts";

const HEX = "ab".repeat(32);

it("what one process seals opens in each process with the key, at its place and unchanged alone", () => {
  const [one, other, stranger] = [new PageKey(HEX), new PageKey(HEX), new PageKey("cd".repeat(32))];
  const sealed = one.seal(["login", "a"], "text");
  expect(sealed).toMatch(/^[\w.-]+$/);
  expect(other.open(["login", "a"], sealed)).toBe("text");
  // The last character has bits that mean nothing, the one before it has none.
  for (const [key, place, text] of [
    [other, ["login", "b"], sealed],
    [other, ["login", "a"], `${sealed.slice(0, -2)}${sealed.at(-2) === "A" ? "B" : "A"}${sealed.slice(-1)}`],
    [other, ["login", "a"], "v1.a.b.c"],
    [other, ["login", "a"], ""],
    [stranger, ["login", "a"], sealed],
  ] as const)
    expect(key.open(place, text)).toBeNull();
});

it("a token is for one cookie and one purpose, and holds in each process with the key", () => {
  const [one, other] = [new PageKey(HEX), new PageKey(HEX)];
  const token = one.token("cookie", "purpose");
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(other.isToken(token, "cookie", "purpose")).toBe(true);
  expect(other.isToken(token, "else", "purpose")).toBe(false);
  expect(other.isToken(token, "cookie", "else")).toBe(false);
  expect(other.isToken("", "cookie", "purpose")).toBe(false);
});
