import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One file of tests, and what its comment lines tell the runner. */
export interface TestFile {
  /** From the root. */
  readonly path: string;
  readonly kind: "unit" | "e2e";
  /** Names in its line `// peers: envoy, nginx`: the programs that it runs beside ours. */
  readonly peers: readonly string[];
  /** Whether it has a line `// alone: <reason>`: no other file runs at the same time. */
  readonly isAlone: boolean;
  /** Whether it has a line `// long: <what takes the time>`: the budget of a file does not bind it. */
  readonly isLong: boolean;
  /** Whether it has a line `// waits: <for what>`: it takes little of a processor while it runs. */
  readonly isWaiting: boolean;
}

/** The stages of npm test, in their order: in this process, our own programs, programs of others. */
export const STAGES = ["in-process", "programs", "peers"] as const;

export type Stage = (typeof STAGES)[number];

export function stageOf({ kind, peers }: Pick<TestFile, "kind" | "peers">): Stage {
  if (peers.length > 0) return "peers";
  return kind === "unit" ? "in-process" : "programs";
}

const PATTERNS = {
  unit: ["packages/*/src/**/*.test.ts", "gateway/src/**/*.test.ts", "{bench/src,scripts}/**/*.test.ts"],
  e2e: ["e2e/**/*.test.ts"],
} as const;

const PEERS = /^\/\/ peers: (.+)$/m;
const ALONE = /^\/\/ alone: \S/m;
const LONG = /^\/\/ long: \S/m;
const WAITS = /^\/\/ waits: \S/m;

/** What asserts figures of the machine: it belongs to the long run alone. */
const LONG_FILE = /\.long\.test\.ts$/;

/** Every file of tests, by path. Those of the long run are among them only in the long run. */
export function testFiles(root: string): readonly TestFile[] {
  const isLongRun = process.env["SVC_TEST_RUNS"] === "long";
  return (["unit", "e2e"] as const).flatMap((kind) =>
    globSync(PATTERNS[kind], { cwd: root, exclude: (path) => path.includes("node_modules") })
      .filter((path) => isLongRun || !LONG_FILE.test(path))
      .toSorted()
      .map((path) => ({ path, kind, ...parseHeader(readFileSync(join(root, path), "utf8")) })),
  );
}

/** What the comment lines of a test file, or of a module that tests import, tell the runner. */
export function parseHeader(text: string): Omit<TestFile, "path" | "kind"> {
  const names = PEERS.exec(text)?.[1]?.split(",") ?? [];
  return {
    peers: names.map((name) => name.trim()),
    isAlone: ALONE.test(text),
    isLong: LONG.test(text),
    isWaiting: WAITS.test(text),
  };
}
