import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");

/** Has a program take its Node for another one, before any line of it runs. */
function asNode(version: string): string {
  const versions = `{ value: { ...process.versions, node: ${JSON.stringify(version)} } }`;
  const code = `Object.defineProperty(process, "versions", ${versions})`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

function run(bundle: string, version: string): { readonly code: number | null; readonly said: string } {
  const args = ["--import", asNode(version), join(ROOT, "packages", bundle), "--help"];
  const { status, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    timeout: 20_000,
    env: {},
  });
  return { code: status, said: stderr };
}

describe("a bundle on a Node that is too old", () => {
  it.each([
    ["server/dist/start.js", "20.20.2", "server: needs Node 24 or later, found 20.20.2\n"],
    ["server/dist/main.js", "22.9.0", "server: needs Node 24 or later, found 22.9.0\n"],
    ["extproc/dist/main.js", "20.20.2", "extproc: needs Node 24 or later, found 20.20.2\n"],
    ["checkgw/dist/main.js", "20.20.2", "checkgw: needs Node 24 or later, found 20.20.2\n"],
    ["mcp-proxy/dist/main.js", "20.20.2", "mcp-proxy: needs Node 24 or later, found 20.20.2\n"],
    [
      "agentcore-interceptor/dist/handler.mjs",
      "20.20.2",
      "agentcore-interceptor: needs Node 22 or later, found 20.20.2\n",
    ],
  ])("%s says so on %s, in one line", (bundle, version, said) => {
    expect(run(bundle, version)).toEqual({ code: 1, said });
  });

  // proves CODE-01
  it("lets no call run whose hook it is", () => {
    const said = "cli: needs Node 24 or later, found 20.20.2\n";
    expect(run("cli/dist/main.js", "20.20.2")).toEqual({ code: 2, said });
  });

  it("says nothing about it on this one", () => {
    expect(run("cli/dist/main.js", process.versions.node).said).not.toContain("needs Node");
  });
});

describe("the documents about Node", () => {
  const textOf = (path: string): string => readFileSync(join(ROOT, path), "utf8");
  const neededBy = (path: string): string =>
    (JSON.parse(textOf(path)) as { readonly engines: { readonly node: string } }).engines.node;
  const [, statement = ""] = /<a id="node"><\/a>([^]*?)\n\n/.exec(textOf("README.md")) ?? [];
  const versions = [...statement.matchAll(/Node ([0-9]+) or later/g)].map(([, version]) => version);

  it("have one statement, which says what the packages say", () => {
    const needed = ["package.json", "packages/cli/dist/package.json", "packages/sdk/dist/package.json"];
    expect(needed.map(neededBy)).toEqual(versions.map((version) => `>=${version ?? ""}`));
  });

  it.each(
    globSync("{README,docs/*,docs/adapters/*,*/README,packages/*/README,clients/*/README}.md", { cwd: ROOT }),
  )("%s names no other version", (path) => {
    for (const [, version] of textOf(path).matchAll(/Node ([0-9]+)(?:\.[0-9]+)? or later/g))
      expect(versions).toContain(version);
  });
});
