import { dataFile } from "@svc/engine/testing/data-files";
import { wordList } from "@svc/engine/word-list";
import { parse } from "yaml";
import { asDocument, type Category, type Intent, load } from "./rule-book.suite.ts";

/** The words of the page that belong to no category. */
interface Page {
  readonly introduction: string;
  readonly extents: string;
  readonly limits: string;
}

/** docs/RULES.md, from the files of `testdata/rules`. */
export function renderRuleBook(book: readonly Category[]): string {
  const categories = withReferences(book);
  const limited = categories.flatMap(({ intents }) => intents.filter(({ missing }) => missing !== undefined));
  const page = dataFile<Page>("rules-page.yaml");
  return `${[
    page.introduction,
    tableOfContents(categories),
    "## Overview",
    page.extents,
    ...categories.map(overviewOf),
    ...categories.map(sectionOf),
    "## What rules cannot say",
    page.limits,
    "### What a call does not show at all",
    missingTable(limited.filter(({ policy }) => policy === undefined)),
    "### What a call shows in part",
    missingTable(limited.filter(({ policy }) => policy !== undefined)),
  ]
    .map((part) => part.trim())
    .join("\n\n")}\n`;
}

/** Each `{{title}}` in prose becomes a link to the rule of that title. */
function withReferences(categories: readonly Category[]): readonly Category[] {
  const all = categories.flatMap(({ intents }) => intents);
  const refer = (prose: string) =>
    prose.replaceAll(/\{\{([^}]+)\}\}/g, (_, title: string) => {
      const meant = all.find(({ intent }) => intent === title);
      if (meant === undefined) throw new TypeError(`expected the title of a rule, found "${title}"`);
      return link(headingOf(meant), `rule ${String(meant.number)}`);
    });
  return categories.map((category) => ({
    ...category,
    intents: category.intents.map((intent) => ({
      ...intent,
      ...(intent.note === undefined ? {} : { note: refer(intent.note) }),
      ...(intent.instead === undefined ? {} : { instead: refer(intent.instead) }),
    })),
  }));
}

/** Characters of a line of prose. */
const WIDTH = 120;

function tableOfContents(categories: readonly Category[]): string {
  const lines = categories.map(({ category, intents }) => `- ${link(category)} (${String(intents.length)})`);
  return ["## Contents", "", "- [Overview](#overview)", ...lines, `- ${link("What rules cannot say")}`].join(
    "\n",
  );
}

function overviewOf({ category, intents }: Category): string {
  const rows = intents.map((intent) => [
    String(intent.number),
    link(headingOf(intent), intent.intent),
    extentOf(intent),
    wordsOf(intent).join(", "),
  ]);
  return `**${category}**\n\n${table(["", "Rule", "Can be said", "With"], rows)}`;
}

function extentOf({ policy, missing }: Intent): string {
  if (missing === undefined) return "yes";
  return policy === undefined ? "no" : "partly";
}

function sectionOf({ category, advice, intents }: Category): string {
  return [`## ${category}`, wrapped(advice), ...intents.map(entryOf)].join("\n\n");
}

function entryOf(intent: Intent): string {
  const { note, policy, calls, tempting, missing, instead } = intent;
  return [
    `### ${headingOf(intent)}`,
    ...(note === undefined ? [] : [wrapped(note)]),
    ...(policy === undefined ? [] : [block("yaml", policy)]),
    ...(calls === undefined ? [] : [block("calls", aligned(calls))]),
    ...(tempting === undefined ? [] : temptingOf(intent, tempting)),
    ...(missing === undefined ? [] : [wrapped(`**Limit.** ${missing} **Instead.** ${instead ?? ""}`)]),
  ].join("\n\n");
}

function temptingOf({ slips, why, silent }: Intent, tempting: string): readonly string[] {
  const loaded = load(tempting);
  const codes = [...new Set(loaded.findings.map(({ code }) => `\`${code}\``))].join(", ");
  const reported = {
    refused: `Svc refuses it: ${codes}.`,
    loads: codes === "" ? `Svc does not warn: ${silent ?? ""}` : `Svc warns: ${codes}.`,
  };
  const words = ["**Tempting and unsafe.**", why ?? "", reported[loaded.kind]].filter((word) => word !== "");
  const passed = loaded.kind === "loads" && slips !== undefined ? [block("calls", aligned(slips))] : [];
  return [wrapped(words.join(" ")), block("yaml", tempting), ...passed];
}

function missingTable(intents: readonly Intent[]): string {
  const rows = intents.map((intent) => [
    link(headingOf(intent)),
    intent.missing ?? "",
    (intent.instead ?? "").trim(),
  ]);
  return table(["Rule", "Why", "What to do instead"], rows);
}

/** The words of the language that a policy uses, for the overview. */
function wordsOf({ policy }: Intent): readonly string[] {
  if (policy === undefined) return [];
  const words = new Set<string>();
  collect(parse(asDocument(policy)), words);
  if (words.size === 0) words.add("tools");
  return [...words].map((word) => `\`${word}\``);
}

const KEYS = new Set(
  wordList("session cost every any count value_field base base_field message approval redact constrain"),
);

/** Operators, telling keys, and the fields of a call that its model does not write. */
function collect(node: unknown, words: Set<string>): void {
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === "operator") words.add(String(value));
    else if (key === "field" && !/^args\b/.test(String(value))) words.add(String(value));
    else if (KEYS.has(key) && !Array.isArray(value)) words.add(key);
    collect(value, words);
  }
}

function headingOf({ number, intent }: Intent): string {
  return `${String(number)}. ${intent}`;
}

function link(heading: string, text = heading): string {
  return `[${text}](#${slugOf(heading)})`;
}

/** As GitHub makes the anchor of a heading. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function block(kind: string, text: string): string {
  return `\`\`\`${kind}\n${text.trimEnd()}\n\`\`\``;
}

/** Most columns that short calls of a block are padded to. */
const ARROW_COLUMN = 72;

function aligned(calls: string): string {
  const lines = calls
    .trim()
    .split("\n")
    .map((line) => line.split(/ +-> (?=[a-z])/));
  const widths = lines.map(([call = ""]) => call.length).filter((width) => width <= ARROW_COLUMN);
  return lines
    .map(([call = "", verdict]) => `${call.padEnd(Math.max(0, ...widths))} -> ${verdict}`)
    .join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** One paragraph, in lines of the width that the other pages have. */
function wrapped(paragraph: string): string {
  return paragraph
    .trim()
    .replaceAll(new RegExp(`(.{1,${String(WIDTH)}})(?: |$)`, "g"), "$1\n")
    .trimEnd();
}
