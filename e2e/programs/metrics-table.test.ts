import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const SOURCES = globSync(["packages/*/src/**/*.ts", "gateway/src/**/*.ts"], { cwd: ROOT }).filter(
  (path) => !path.endsWith(".test.ts") && !path.includes("/testing/"),
);

/** Names of metrics are written out where a metric is made. API keys begin in the same way. */
const METRIC = /"(svc_(?!id_secret)[a-z]+(?:_[a-z]+)*)"/g;

const names = new Set(
  SOURCES.flatMap((path) =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(METRIC)].map(([, name]) => name ?? ""),
  ),
);

// proves OPS-38
describe("metrics in the documents", () => {
  const operations = readFileSync(join(ROOT, "docs/OPERATIONS.md"), "utf8");

  it("are those of every program", () => {
    for (const prefix of ["svc_decisions_", "svc_checkgw_", "svc_extproc_", "svc_mcp_", "svc_build_"])
      expect([...names].some((name) => name.startsWith(prefix))).toBe(true);
  });

  it.each([...names].sort())("OPERATIONS.md describes %s", (name) => {
    expect(operations).toContain(`\`${name}`);
  });

  it("describes no metric that no program has", () => {
    const told = [...operations.matchAll(/^\| `(svc_[a-z_]+)/gm)].map(([, name]) => name);
    expect(told.filter((name) => !names.has(name ?? ""))).toEqual([]);
  });
});
