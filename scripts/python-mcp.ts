/** Gets the Python MCP clients that the end-to-end tests start. */
import { spawnSync } from "node:child_process";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toolsDir } from "./toolchain.mjs";

/** Folder name to the release that the tests are written for. */
const CLIENTS = { "python-mcp-1": "mcp==1.30.0", "python-mcp-2": "mcp==2.3.0" } as const;

/** Installs what is not there and can be had; says so when it cannot. */
export function ensurePythonMcp(say: (line: string) => void): void {
  for (const [name, release] of Object.entries(CLIENTS)) {
    const folder = join(toolsDir, name);
    // A changed pin replaces the folder: the tests look for it by name alone.
    const mark = join(folder, release.replace("==", "-"));
    if (existsSync(mark)) continue;
    say(`${release}: installing ...`);
    const unfinished = `${folder}.${String(process.pid)}`;
    const args = ["-m", "pip", "install", "--quiet", "--target", unfinished, release];
    const result = spawnSync("python3", args, { encoding: "utf8", input: "" });
    if (result.status === 0) {
      writeFileSync(join(unfinished, release.replace("==", "-")), "");
      rmSync(folder, { recursive: true, force: true });
      renameSync(unfinished, folder);
    } else {
      const problem = result.error?.message ?? `${result.stdout}${result.stderr}`.slice(-2_000);
      say(`${release}: not installed, its tests cannot run: ${problem}`);
    }
    rmSync(unfinished, { recursive: true, force: true });
  }
}
