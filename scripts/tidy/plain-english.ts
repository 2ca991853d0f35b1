import type { Finding, Rule, TextFile } from "./finding.ts";
import { prose } from "./markdown-links.ts";

type Habit = {
  /** Matches inside one paragraph, whose lines are joined with single spaces. */
  readonly pattern: RegExp;
  readonly expected: string;
};

/** What may follow "is no"; "there is no ..." is right before any word. */
const IDIOMS = "longer|more|fewer|less|one|different|\\w+er than";

const HABITS: readonly Habit[] = [
  {
    pattern: new RegExp(`(?<!\\bthere )\\b(?:is|are|was|were|be) no (?!(?:${IDIOMS})\\b)\\w+`, "gi"),
    expected: '"is not a", "is not" or "has no"',
  },
  { pattern: /\b(?:told|tells?|telling) of\b/gi, expected: '"called when", "reports" or "knows about"' },
  { pattern: /\bwhoever\b/gi, expected: '"anyone who", or the name of the actor' },
  { pattern: /\bthereby\b/gi, expected: "a sentence of its own that names the effect" },
  { pattern: /\bin the place of\b/gi, expected: '"in place of" or "instead of"' },
  { pattern: /\bSo (?:are|is|was|were|does|did|has|have) \w+/g, expected: "subject before verb" },
];

const judged = /\.(?:ts|mts|mjs|md|ya?ml|conf|cfg|lua|py|sh|proto)$|(?:^|\/)(?:Caddyfile|run)$/;
const withDocComments = /\.(?:ts|mts|mjs)$/;
const commentLeader = /^\s*(?:\/\*\*?|\*(?!\*)|\/\/+|#+|--+|>)?\s*/;
const MIN_LAST_WORDS = 3;

/** Habits of speech that readers have to read twice, in prose, comments and strings alike. */
export const plainEnglishRule: Rule = (file) => {
  if (!judged.test(file.path)) return [];
  const comments = withDocComments.test(file.path) ? shortLastLines(file) : [];
  return [...habits(file), ...comments].sort((a, b) => a.line - b.line);
};

function habits({ path, lines }: TextFile): readonly Finding[] {
  const shown = path.endsWith(".md") ? prose(lines) : lines;
  return paragraphs(shown).flatMap(({ text, lineAt }) =>
    HABITS.flatMap(({ pattern, expected }) =>
      [...text.matchAll(pattern)].map((match) => {
        return { path, line: lineAt(match.index), expected, found: match[0] };
      }),
    ),
  );
}

type Paragraph = {
  readonly text: string;
  /** The line, from 1, of the character at this offset. */
  readonly lineAt: (offset: number) => number;
};

/** Runs of lines without an empty one between them, each without the sign that makes it a comment. */
function paragraphs(lines: readonly string[]): readonly Paragraph[] {
  const found: Paragraph[] = [];
  let text = "";
  let starts: { readonly offset: number; readonly line: number }[] = [];
  for (const [index, line] of [...lines, ""].entries()) {
    const words = line.replace(commentLeader, "").trimEnd();
    if (words !== "") {
      starts.push({ offset: text.length, line: index + 1 });
      text += `${words} `;
    } else if (text !== "") {
      const own = starts;
      const lineAt = (offset: number) => own.findLast((start) => start.offset <= offset)?.line ?? 0;
      found.push({ text, lineAt });
      text = "";
      starts = [];
    }
  }
  return found;
}

/** Doc comments that end in a line of one or two words: they were wrapped by width, not by sense. */
function shortLastLines({ path, lines }: TextFile): readonly Finding[] {
  return lines.flatMap((line, index) => {
    if (line.trim() !== "*/") return [];
    const last = textOf(lines[index - 1]);
    const before = textOf(lines[index - 2]);
    const isWrapped = last !== "" && before !== "" && !/^[@-]/.test(last);
    if (!isWrapped || last.split(/\s+/).length >= MIN_LAST_WORDS) return [];
    const expected = `at least ${MIN_LAST_WORDS} words in the last line of a comment`;
    return [{ path, line: index, expected, found: last }];
  });
}

/** The words of a line inside a doc comment; empty for any other line. */
function textOf(line = ""): string {
  return /^\s*\*(?!\/)\s*(.*)$/.exec(line)?.[1]?.trim() ?? "";
}
