import { readdirSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { expect, it } from "vitest";

const SOURCE = import.meta.dirname;

/**
 * What the proxy may import from outside this package. None of it starts a program or opens an address, but
 * that of a collector which the environment names.
 */
const ALLOWED = [
  /^@svc\/(?:text|contract|decision-client|process|http-edge|tool-calls|telemetry)\//,
  /^node:(?:buffer|crypto|events|fs|fs\/promises|http|stream|stream\/promises|timers\/promises)$/,
  /^(?:pino|prom-client|undici)$/,
];

it("M18, M19: the proxy imports no SDK, URI template, shell or browser", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter(isProduct);
  const imports = files.flatMap((file) => {
    const text = readFileSync(join(SOURCE, file), "utf8");
    return [...text.matchAll(/(?:from|import\(?) ?"([^"]+)"/g)].map(([, source = ""]) => ({ file, source }));
  });
  const folders = new Set(
    files.map((file) => file.split("/", 1)[0]).filter((name) => !name?.endsWith(".ts")),
  );
  expect(folders.size).toBeGreaterThan(4);
  expect(imports.length).toBeGreaterThan(300);
  expect(imports.filter((one) => !isAllowed(one, new Set(files)))).toEqual([]);
});

function isProduct(file: string): boolean {
  return file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("testing/");
}

/** A relative import has to name a product file of this package. */
function isAllowed({ file, source }: { file: string; source: string }, own: ReadonlySet<string>): boolean {
  if (source.startsWith(".")) return own.has(normalize(join(file, "..", source)));
  return ALLOWED.some((form) => form.test(source));
}
