import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** All that the proxy is made of: nothing that starts a program, opens an address, or expands a template. */
const ALLOWED = [
  /^\.\/[a-z-]+\.ts$/,
  /^@svc\/(?:contract|decision-client|process|http-edge|tool-calls)\//,
  /^node:(?:buffer|crypto|events|fs|fs\/promises|http|stream|stream\/promises|timers\/promises)$/,
  /^(?:pino|prom-client|undici)$/,
];

it("M18, M19: no SDK, no URI template, no shell and no browser is within reach of a message", () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^(?!.*\.test\.ts).*\.ts$/.test(name));
  const imports = files.flatMap((name) => {
    const text = readFileSync(join(import.meta.dirname, name), "utf8");
    return [...text.matchAll(/(?:from|import\(?) ?"([^"]+)"/g)].map(([, source = ""]) => source);
  });
  expect(imports.length).toBeGreaterThan(100);
  expect(imports.filter((source) => !ALLOWED.some((form) => form.test(source)))).toEqual([]);
});
