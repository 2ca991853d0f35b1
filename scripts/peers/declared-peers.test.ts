import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { parseHeader, testFiles } from "../test-files.ts";
import { root } from "../toolchain.mjs";
import { peers } from "./peers.ts";

const IMPORT = /\bfrom "([^"]+)";$/gm;
const NAMED = /\b(?:missing\.|missing\["|findPeer\(")([a-z][a-z0-9-]*)/g;

const NAMES = peers.map(({ name }) => name);

/** Exported name to file: `@svc/store/testing/postgres-server`. */
const exported = new Map(
  globSync(["packages/*/package.json", "gateway/package.json"], { cwd: root }).flatMap((path) => {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, path), "utf8")) as {
      name: string;
      exports?: Record<string, string>;
    };
    return Object.entries(exports).map(
      ([subpath, file]) => [join(name, subpath), join(dirname(path), file)] as const,
    );
  }),
);

/** The same, but computed once for each path: most modules are imported by hundreds of test files. */
function onceForEach<Found>(find: (path: string) => Found): (path: string) => Found {
  const found = new Map<string, Found>();
  return (path) => {
    const known = found.get(path) ?? find(path);
    found.set(path, known);
    return known;
  };
}

const textOf = onceForEach((path) => readFileSync(join(root, path), "utf8"));

const importsOf = onceForEach((path): readonly string[] => {
  return [...textOf(path).matchAll(IMPORT)].flatMap(([, specifier = ""]) => {
    if (!specifier.startsWith(".")) return exported.get(specifier) ?? [];
    const target = relative(root, join(root, dirname(path), specifier));
    return existsSync(join(root, target)) ? target : [];
  });
});

const peersOf = onceForEach((path) => parseHeader(textOf(path)).peers);

/** The peers of every module that a file imports, at whatever distance. */
function peersOfImports(path: string): ReadonlySet<string> {
  const seen = new Set<string>([path]);
  for (const module of seen) for (const imported of importsOf(module)) seen.add(imported);
  seen.delete(path);
  return new Set([...seen].flatMap(peersOf));
}

describe("the line `// peers:` of every test file", () => {
  const files = testFiles(root);

  it("names the peers of everything that the file imports, and those that it asks for", () => {
    const undeclared = files.flatMap(({ path, peers: declared }) => {
      const named = [...textOf(path).matchAll(NAMED)].map(([, name = ""]) => name);
      const used = new Set([...peersOfImports(path), ...named.filter((name) => NAMES.includes(name))]);
      return [...used].filter((name) => !declared.includes(name)).map((name) => `${path}: ${name}`);
    });
    expect(undeclared).toEqual([]);
  });

  it("names peers that exist", () => {
    const unknown = files.flatMap((file) => file.peers.filter((name) => !NAMES.includes(name)));
    expect(unknown).toEqual([]);
  });
});

it("finds the peers behind an import of a package and behind one of a file", () => {
  expect(peersOfImports("e2e/faults/durability.test.ts")).toContain("postgres");
  expect(peersOfImports("e2e/extproc/whole-path.test.ts")).toContain("envoy");
});
