import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const EVERY_TABLE = globSync("packages/*/src/**/*-environment.ts", { cwd: ROOT })
  .filter((path) => !path.startsWith("packages/process/"))
  .sort();
const KNOWN = "packages/process/src/known-variables.ts";
const DOCUMENTS = ["docs/OPERATIONS.md", ...globSync("docs/adapters/*.md", { cwd: ROOT })].sort();
/** A page whose table cannot be read would pass the test of its rows. */
const WITH_VARIABLES = [
  "OPERATIONS",
  "adapters/README",
  "adapters/agentcore",
  "adapters/envoy",
  "adapters/mcp-proxy",
];

interface Setting {
  readonly name: string;
  readonly defaultText: string;
}

/** Loaded by their paths, since no package may import all of the programs. */
async function settingsOf(path: string): Promise<readonly Setting[]> {
  const exported: Record<string, unknown> = await import(join(ROOT, path));
  return Object.values(exported)
    .filter((table) => typeof table === "object" && table !== null)
    .flatMap((table) => Object.entries(table as Record<string, { defaultText: string }>))
    .map(([name, { defaultText }]) => ({ name, defaultText }));
}

const ONLY_VARIABLES = /^`(?:SVC|OTEL)_[A-Z_]+`(?:, `(?:SVC|OTEL)_[A-Z_]+`)*$/;

/** Rows of Markdown tables whose first cell holds names of variables and nothing else. */
function rowsOf(path: string): readonly Setting[] {
  const lines = readFileSync(join(ROOT, path), "utf8").split("\n");
  return lines.flatMap((line) => {
    const [, names = "", defaultText = ""] = line.split("|").map((cell) => cell.trim());
    if (!ONLY_VARIABLES.test(names)) return [];
    return [...names.matchAll(/`((?:SVC|OTEL)_[A-Z_]+)`/g)].map(([, name = ""]) => ({
      name,
      defaultText: defaultText.replaceAll("`", ""),
    }));
  });
}

const settings = (await Promise.all(EVERY_TABLE.map(settingsOf))).flat();

describe("the environment in the documents", () => {
  it("is held against the table of every program", () => {
    const packages = EVERY_TABLE.map((path) => path.split("/")[1]);
    const known = ["checkgw", "decision-client", "extproc", "mcp-proxy", "server", "telemetry"];
    expect(packages).toEqual(expect.arrayContaining(known));
  });

  // proves OPS-32
  it.each(settings)("$name is known to every program, so that none warns of it", async ({ name }) => {
    const { KNOWN_VARIABLES } = (await import(join(ROOT, KNOWN))) as { KNOWN_VARIABLES: Set<string> };
    expect(KNOWN_VARIABLES).toContain(name);
  });

  it.each(settings)("OPERATIONS.md lists $name and its default", (setting) => {
    expect(rowsOf("docs/OPERATIONS.md")).toContainEqual(setting);
  });

  it("is told in tables that the test can read", () => {
    const read = DOCUMENTS.filter((path) => rowsOf(path).length > 0);
    expect(read).toEqual(expect.arrayContaining(WITH_VARIABLES.map((name) => `docs/${name}.md`)));
  });

  it.each(DOCUMENTS)("every row of %s holds a variable and the default that its program has", (path) => {
    for (const row of rowsOf(path)) expect(settings).toContainEqual(row);
  });
});
