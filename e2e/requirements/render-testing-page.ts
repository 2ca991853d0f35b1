import { type Citation, groupOf, LONG_FILE, type TestSource } from "./citations.ts";
import type { Requirement } from "./requirement.ts";

/** The runs of tests, in their order: the stages of npm test, and the long run. */
const RUNS = ["in process", "programs", "peers", "long"] as const;

type Run = (typeof RUNS)[number];

const PEERS = /^\/\/ peers: \S/m;

function runOf({ path, text }: TestSource): Run {
  if (LONG_FILE.test(path)) return "long";
  if (PEERS.test(text)) return "peers";
  return path.startsWith("e2e/") ? "programs" : "in process";
}

const HEADER = `# Which run proves what

Each promise to users has an id, and at least one test cites it. This page names the runs of those tests: the
stages of \`npm test\`, which [CONTRIBUTING.md](../CONTRIBUTING.md#two-commands) describes, and the long run,
\`npm run test:long\`. A suite that several implementations share counts as in process. \`not yet\` marks what
is not kept today.

The long run repeats all of it with more and with other random values. What asserts a figure of the machine
belongs to it, or to \`npm run bench\`: [PERFORMANCE.md](PERFORMANCE.md). No other test asserts how long the
machine took.
`;

/** docs/TESTING.md: every promise with the runs whose tests cite it. */
export function renderTestingPage(
  requirements: readonly Requirement[],
  sources: readonly TestSource[],
  citations: readonly Citation[],
): string {
  const runOfPath = new Map(sources.map((source) => [source.path, runOf(source)]));
  const runs = new Map<string, Set<Run>>();
  for (const { id, path } of citations) {
    const run = runOfPath.get(path);
    if (run !== undefined) runs.set(id, (runs.get(id) ?? new Set<Run>()).add(run));
  }
  const rows = requirements.map(({ id, promise }) => {
    const found = RUNS.filter((run) => runs.get(id)?.has(run));
    return { group: groupOf(id), line: `| ${id} | ${promise} | ${found.join(", ") || "not yet"} |` };
  });
  const groups = [...new Set(rows.map(({ group }) => group))];
  const sections = groups.map((name) => {
    const lines = rows.filter(({ group }) => group === name).map(({ line }) => line);
    return `\n## ${name}\n\n| Id | Promise | Runs |\n|---|---|---|\n${lines.join("\n")}\n`;
  });
  return HEADER + sections.join("");
}
