import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROM_CLIENT_MODULES, UNDICI_MODULES } from "./bundle-plugins.ts";
import { root } from "./toolchain.mjs";

const IMPORT = /^import \{([^}]*)\} from "([^"]*)";$/gm;

/** Sources that go into programs. */
function sources(): readonly string[] {
  const folders = [
    join(root, "gateway"),
    ...readdirSync(join(root, "packages")).map((name) => join(root, "packages", name)),
  ];
  return folders
    .flatMap((folder) =>
      readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" }).map((name) =>
        join(folder, "src", name),
      ),
    )
    .filter((path) => /^(?!.*(\.test|\.suite)\.ts$|.*\/testing\/).*\.ts$/.test(path));
}

it.each([
  ["undici", UNDICI_MODULES],
  ["prom-client", PROM_CLIENT_MODULES],
])("bundles every export of %s that a program imports, and no other", (library, modules) => {
  const names = sources()
    .flatMap((path) => [...readFileSync(path, "utf8").matchAll(IMPORT)])
    .filter(([, , from]) => from === library)
    .flatMap(([, list = ""]) => list.split(",").map((name) => name.trim()))
    .filter((name) => name !== "" && !name.startsWith("type "));
  expect([...new Set(names)].toSorted()).toEqual(Object.keys(modules).toSorted());
});
