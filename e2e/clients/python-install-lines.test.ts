import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const EXAMPLES = join("examples", "python");

/** Everything else that says how the Python package is installed. */
const PAGES = ["README.md", "docs/CLIENTS.md", "examples/README.md", "clients/python/README.md"];

const ANY_LINE = /pip install [^\n`]*(?:svc-client|clients\/python)[^\n`]*/g;
const WORKING_LINE = /^pip install (?:'\.\/clients\/python\[([a-z-]+)\]'|\.\/clients\/python(?![[\w]))/;

function read(file: string): Promise<string> {
  return readFile(join(ROOT, file), "utf8");
}

async function extras(): Promise<readonly string[]> {
  const project = await read("clients/python/pyproject.toml");
  const table = project.split("[project.optional-dependencies]\n")[1]?.split("\n\n")[0] ?? "";
  return [...table.matchAll(/^([a-z-]+) = /gm)].map(([, name = ""]) => name);
}

async function examples(): Promise<readonly string[]> {
  const files = await readdir(join(ROOT, EXAMPLES));
  return files.filter((name) => name.endsWith(".py")).map((name) => join(EXAMPLES, name));
}

function exampleOf(extra: string): string {
  return join(EXAMPLES, `with_${extra.replaceAll("-", "_")}.py`);
}

// The package is in no index, so every other line fails for a reader who copies it.
describe("how the Python client is installed", () => {
  it("is a line that works in a clone, wherever it is written", async () => {
    const known: readonly (string | undefined)[] = [undefined, ...(await extras())];
    const failing: string[] = [];
    for (const file of [...PAGES, ...(await examples())]) {
      for (const [line] of (await read(file)).matchAll(ANY_LINE)) {
        const working = WORKING_LINE.exec(line);
        if (working === null || !known.includes(working[1])) failing.push(`${file}: ${line}`);
      }
    }
    expect(failing).toEqual([]);
  });

  it("stands at the head of each example, with the command that runs it", async () => {
    const frameworks = (await extras()).filter((extra) => extra !== "testing");
    const found = (await examples()).filter((file) => file.includes("with_"));
    expect(found.toSorted()).toEqual(frameworks.map(exampleOf).toSorted());
    for (const extra of frameworks) {
      const head = (await read(exampleOf(extra))).split('"""')[1];
      expect(head).toContain(`pip install './clients/python[${extra}]'\n`);
      expect(head).toContain(` python ${exampleOf(extra)}\n`);
    }
  });
});
