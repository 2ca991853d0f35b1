import { codePoint } from "@svc/text/code-point";
import { loadVectors } from "@svc/text/testing/vectors-suite";
import { expect, it } from "vitest";
import { markText } from "./mark-text.ts";

interface Case {
  readonly description: string;
  readonly text: string;
  readonly seen: boolean;
}

const cases = loadVectors<Case>("unseen").filter(({ text }) => text !== " ");

it.each(cases)("a page names $description only if nobody sees it", ({ text, seen }) => {
  expect(markText(` ${text}`).markup.includes(`<b>[${codePoint(text)}]</b>`)).toBe(!seen);
  expect(markText(text).markup.includes("a hidden character")).toBe(!seen);
});
