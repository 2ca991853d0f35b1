import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./toolchain.mjs";

const FOLDER = join(root, "packages/cli");
const PACKAGE = join(FOLDER, "dist");
const MAN_PAGE = "man/svc-cli.1";
const VERIFIER = "verify_audit.py";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly type: string;
}

/**
 * Makes a package of the bundle of svc-cli: `npm pack packages/cli/dist` packs it. It has no dependencies and
 * no install scripts. The bundle itself writes its manual page.
 * @returns the files, from the root
 */
export function makeCliPackage(minNode: number): readonly string[] {
  const { name, version, description, license, type } = JSON.parse(
    readFileSync(join(FOLDER, "package.json"), "utf8"),
  ) as Manifest;
  const bin = { "svc-cli": "main.js" };
  // Not the compiled code that Node keeps beside them.
  const files = ["*.js", "man", VERIFIER, "reactor.*"];
  const engines = { node: `>=${String(minNode)}` };
  const manifest = { name, version, description, license, type, bin, files, man: [MAN_PAGE], engines };
  writeFileSync(join(PACKAGE, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(root, "LICENSE"), join(PACKAGE, "LICENSE"));
  cpSync(join(FOLDER, "README.md"), join(PACKAGE, "README.md"));
  cpSync(join(root, "packages/audit-log/verifier", VERIFIER), join(PACKAGE, VERIFIER));
  mkdirSync(join(PACKAGE, "man"));
  const page = execFileSync(process.execPath, [join(PACKAGE, "main.js"), "help", "man-page"]);
  writeFileSync(join(PACKAGE, MAN_PAGE), page);
  return ["package.json", "LICENSE", "README.md", VERIFIER, MAN_PAGE].map((file) =>
    relative(root, join(PACKAGE, file)),
  );
}
