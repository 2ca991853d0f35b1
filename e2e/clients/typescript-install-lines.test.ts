import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const EXAMPLES = join("examples", "typescript");

/** Everything else that says how the TypeScript package is installed. */
const PAGES = ["README.md", "docs/CLIENTS.md", "examples/README.md", "packages/sdk/README.md"];

const ANY_LINE = /npm (?:install|i|add) [^\n`]*svc[^\n`]*/g;

function read(file: string): Promise<string> {
  return readFile(join(ROOT, file), "utf8");
}

/** `npm pack` gives the file its name by the version of the package. */
async function workingLine(): Promise<string> {
  const { name, version } = JSON.parse(await read("packages/sdk/package.json")) as {
    readonly name: string;
    readonly version: string;
  };
  return `npm install ../CLONE/${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

async function examples(): Promise<readonly string[]> {
  return (await readdir(join(ROOT, EXAMPLES))).filter((name) => name.endsWith(".ts"));
}

/** The packages that a program imports, apart from ours. */
function importedBy(source: string): readonly string[] {
  const names = [...source.matchAll(/^(?:import|\}) .*from "([^"]+)";$/gm)].map(([, name = ""]) => name);
  const packages = names.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? "");
  const foreign = packages.filter((name) => !/^(?:\.|node:|@svc\/client$)/.test(name));
  return [...new Set(foreign)].toSorted();
}

// The package is in no registry, so every other line fails for a reader who copies it.
describe("how the TypeScript client is installed", () => {
  it("is a line that works beside a clone, wherever it is written", async () => {
    const working = await workingLine();
    const files = [...PAGES, ...(await examples()).map((name) => join(EXAMPLES, name))];
    const found = await Promise.all(
      files.map(async (file) => [...(await read(file)).matchAll(ANY_LINE)].map(([line]) => ({ file, line }))),
    );
    expect(found.flat().length).toBeGreaterThan(PAGES.length);
    expect(found.flat().filter(({ line }) => !line.startsWith(working))).toEqual([]);
  });

  it("stands at the head of each example with what it imports and the command that runs it", async () => {
    const working = await workingLine();
    for (const name of await examples()) {
      const source = await read(join(EXAMPLES, name));
      if (!source.includes("@svc/client")) continue;
      const [, rest = " nothing"] = source.split(working);
      const installed = (rest.split("\n", 1)[0] ?? "").split(" ").filter((word) => word !== "");
      expect([name, installed.map((word) => word.replace(/(?<=.)@\d+$/, "")).toSorted()]).toEqual([
        name,
        importedBy(source),
      ]);
      const command = source.split("\n").find((line) => line.includes(` ${name}`)) ?? "nothing";
      expect(command).toMatch(/ node (?:--test )?[\w.-]+$/);
    }
  });
});
