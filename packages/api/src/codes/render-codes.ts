import { PROBLEM_PREFIX, PROBLEMS, type ProblemCode } from "@svc/contract/problem";
import { REASON_PREFIX } from "@svc/contract/verdict";
import { type CodeGuide, REASON_GUIDE } from "./code-guide.ts";
import { PROBLEM_GUIDE } from "./problem-guide.ts";

const TITLE = "Reason codes and problem codes";

const REASONS_TITLE = "Reason codes";
const REASONS_INTRODUCTION =
  "Every verdict that is not an allow has a `reason_code`, and so has its audit row. `reason` is a " +
  'sentence for people and may change. "Fault" means that the verdict has `"fail_closed": true`: no policy ' +
  "denied the call, but something failed.";

const PROBLEMS_TITLE = "Problem codes";
const PROBLEMS_INTRODUCTION =
  "Every error of the [HTTP API](API.md#errors) has a `code`, and a `type` that leads to it on this page.";

interface Table {
  readonly title: string;
  readonly rows: readonly (readonly [code: string, ...cells: readonly string[]])[];
}

const REASON_TABLES: readonly Table[] = REASON_GUIDE.map(({ title, codes }) => ({
  title,
  rows: Object.entries(codes).map(([code, guide]) => [code, ...cellsOf(guide)] as const),
}));

const PROBLEM_ROWS = (Object.keys(PROBLEMS) as readonly ProblemCode[]).map(
  (code) => [code, String(PROBLEMS[code].status), ...cellsOf(PROBLEM_GUIDE[code])] as const,
);

function cellsOf({ meaning, remedy }: CodeGuide): readonly [meaning: string, remedy: string] {
  return [meaning, remedy ?? ""];
}

const REASON_HEADS = ["Code", "What it means", "What to do"];
const PROBLEM_HEADS = ["Code", "Status", "What it means", "What to do"];

/** docs/REASONS.md. */
export function renderCodesMarkdown(): string {
  return [
    `# ${TITLE}`,
    "Both lists are closed: a program may rely on them. This page is made from the code.",
    `## ${REASONS_TITLE}`,
    REASONS_INTRODUCTION,
    ...REASON_TABLES.flatMap(({ title, rows }) => [`### ${title}`, markdownTable(REASON_HEADS, rows)]),
    `## ${PROBLEMS_TITLE}`,
    PROBLEMS_INTRODUCTION,
    markdownTable(PROBLEM_HEADS, PROBLEM_ROWS),
  ]
    .join("\n\n")
    .concat("\n");
}

function markdownTable(heads: readonly string[], rows: Table["rows"]): string {
  const lines = rows.map(
    ([code, ...cells]) => `| \`${code}\` | ${cells.map((cell) => cell || "-").join(" | ")} |`,
  );
  return [`| ${heads.join(" | ")} |`, `|${heads.map(() => "---|").join("")}`, ...lines].join("\n");
}

/** The same page for a browser, as the server sends it. Each row has the id that links lead to. */
export function renderCodesHtml(): string {
  const reasons = REASON_TABLES.map(
    ({ title, rows }) => `<h3>${title}</h3>\n${htmlTable(REASON_PREFIX, REASON_HEADS, rows)}`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Svc: ${TITLE}</title><link rel="icon" href="data:,">
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; }
th, td { border: 1px solid #8888; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
@media (max-width: 45rem) {
  table, tbody, tr, td { display: block; }
  tr { border: 1px solid #8888; margin-bottom: 0.6rem; }
  tr:not([id]) { display: none; }
  td { border: 0; }
}
code { overflow-wrap: anywhere; }
tr:target { background: #ffd54f66; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #eee; } }
</style>
</head>
<body>
<h1>${TITLE}</h1>
<h2>${REASONS_TITLE}</h2>
<p>${asHtml(REASONS_INTRODUCTION)}</p>
${reasons.join("\n")}
<h2>${PROBLEMS_TITLE}</h2>
<p>${asHtml(PROBLEMS_INTRODUCTION)}</p>
${htmlTable(PROBLEM_PREFIX, PROBLEM_HEADS, PROBLEM_ROWS)}
</body>
</html>
`;
}

function htmlTable(prefix: string, heads: readonly string[], rows: Table["rows"]): string {
  const head = heads.map((name) => `<th>${name}</th>`).join("");
  const lines = rows.map(([code, ...cells]) => {
    const others = cells.map((cell) => `<td>${asHtml(cell)}</td>`).join("");
    return `<tr id="${prefix}${code}"><td><code>${code}</code></td>${others}</tr>`;
  });
  return `<table>\n<tr>${head}</tr>\n${lines.join("\n")}\n</table>`;
}

/** The little Markdown that the guide uses. The server does not have the pages that links lead to. */
function asHtml(markdown: string): string {
  return markdown
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/\[([^\]]+)\]\(([^)#]+)[^)]*\)/g, (_link, text: string, page: string) =>
      text.includes(page) ? `docs/${page}` : `${text} (docs/${page})`,
    )
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}
