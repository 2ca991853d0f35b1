import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadVectors } from "./testing/vectors.suite.ts";
import { isSeen, UNSEEN_CHARACTER } from "./unseen.ts";

interface Case {
  readonly description: string;
  readonly text: string;
  readonly seen: boolean;
}

it.each(loadVectors<Case>("unseen"))("a reader sees $description: $seen", ({ text, seen }) => {
  expect(isSeen(text)).toBe(seen);
  expect(isSeen(` ${text}\n`)).toBe(seen);
  expect(isSeen(`${text}x`)).toBe(true);
});

const PYTHON_NAME = new URL("../../../clients/python/src/svc_client/_name.py", import.meta.url);

/** What the Python client finds by the category of a character, which is not in its list. */
const BY_CATEGORY = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Zs}]/u;

// proves NAME-02
it("the list of the Python client has the same characters, but those without a category", () => {
  const written = /_UNSEEN = re\.compile\(\s*((?:"[^"]*"\s*)+)\)/.exec(
    readFileSync(PYTHON_NAME, "utf8"),
  )?.[1];
  const listed = (written ?? "")
    .replaceAll(/"\s*"?/g, "")
    .replaceAll(/\\U0*([0-9a-f]+)/g, String.raw`\u{$1}`);
  const ofPython = new RegExp(listed, "u");
  const ours = new RegExp(UNSEEN_CHARACTER, "u");
  const different: string[] = [];
  for (let point = 0; point <= 0x10_ffff; point += 1) {
    const character = String.fromCodePoint(point);
    const isFound = ofPython.test(character) || BY_CATEGORY.test(character);
    const isUnseen = character !== " " && ours.test(character);
    const isUnassigned = /\p{Cn}/u.test(character);
    if (isUnassigned ? isFound && !isUnseen : isFound !== (isUnseen || character === " "))
      different.push(point.toString(16));
  }
  expect(different).toEqual([]);
});
