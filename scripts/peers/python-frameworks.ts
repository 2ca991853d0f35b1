/**
 * Agent frameworks in Python, each in a folder of its own, because what they pin conflicts. The first line of
 * the file that pins a framework says what the download takes.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../toolchain.mjs";
import { fillKept, type KeptFolder, linkKept } from "./kept-folder.ts";
import type { Peer } from "./peer.ts";
import { runCommand } from "./run-command.ts";

const FOLDER = join(root, "e2e", "clients", "python", "frameworks");
const SUFFIX = ".txt";
const SIZE = /^# (\d+) MB\b/;

/** Wheels alone: building is slow, and runs what a package brings. What is imported is compiled then. */
const FLAGS = ["--quiet", "--no-deps", "--only-binary", ":all:", "--no-compile"];

export interface PythonFramework {
  readonly name: string;
  readonly age: "newest" | "oldest";
  readonly downloadMb: number;
  /** The file that pins the framework and everything below it. */
  readonly pins: string;
  readonly kept: KeptFolder;
}

/** Every framework, as it is pinned. The oldest supported ones are for the matrix alone. */
export function pythonFrameworks(age: PythonFramework["age"]): readonly PythonFramework[] {
  const folder = age === "newest" ? FOLDER : join(FOLDER, age);
  const files = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  return files.toSorted().map((file) => {
    const pins = join(folder, file);
    const text = readFileSync(pins, "utf8");
    const name = file.slice(0, -SUFFIX.length);
    const downloadMb = Number(SIZE.exec(text)?.[1]);
    if (Number.isNaN(downloadMb)) throw new Error(`${pins}: expected a first line "# <number> MB"`);
    const link = `python-framework-${age === "newest" ? name : `${name}-${age}`}`;
    const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
    return { name, age, downloadMb, pins, kept: { link, folder: `${link}-${digest}` } };
  });
}

export async function installFramework({ pins, kept }: PythonFramework): Promise<void> {
  if (linkKept(kept)) return;
  await fillKept(kept, async (empty) => {
    await runCommand("python3", ["-m", "pip", "install", "--target", empty, ...FLAGS, "-r", pins]);
  });
}

const newest = pythonFrameworks("newest");

/** All of them are one peer: together they are a large download. */
export const pythonFrameworksPeer: Peer = {
  name: "python-frameworks",
  purpose: `agent frameworks in Python: ${newest.map(sized).join(", ")}`,
  downloadMb: newest.reduce((sum, { downloadMb }) => sum + downloadMb, 0),
  isPresent: () => newest.every(({ kept }) => linkKept(kept)),
  obstacle: () => null,
  install: async () => {
    for (const framework of newest) await installFramework(framework);
  },
};

function sized({ name, downloadMb }: PythonFramework): string {
  return `${name} (${String(downloadMb)} MB)`;
}
