import { mkdirSync, renameSync, rmSync } from "node:fs";

/** Fills a folder beside the wanted one and then exchanges them, so that a folder of that name is whole. */
export async function replaceFolder(folder: string, fill: (empty: string) => Promise<void>): Promise<void> {
  const unfinished = `${folder}.${String(process.pid)}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  try {
    await fill(unfinished);
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
