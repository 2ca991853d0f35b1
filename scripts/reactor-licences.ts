import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./peers/run-command.ts";

/** One line for each package: nothing for those of Go's library. */
const FORMAT = "{{with .Module}}{{.Path}} {{.Version}} {{.Dir}}{{end}}";

const LICENCE_FILE = /^(LICEN[CS]E|COPYING|NOTICE|PATENTS)/i;

/** The licences of Go and of every module whose code is in a program. @param env names its platform */
export async function programLicences(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const listed = await runCommand("go", ["list", "-deps", "-f", FORMAT, "."], { cwd: folder, env });
  const goRoot = (await runCommand("go", ["env", "GOROOT"])).trim();
  // The program's own module has no version.
  const modules = [...new Set(listed.split("\n"))].filter((line) => / v\S+ /.test(line)).toSorted();
  const parts = modules.map((line) => {
    const [path = "", version = "", source = ""] = line.split(" ");
    return partOf(`${path} ${version}`, source);
  });
  return [partOf("Go", goRoot), ...parts].join("\n");
}

function partOf(name: string, folder: string): string {
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), "utf8").trim());
  const rule = "=".repeat(78);
  return `${rule}\n${name}\n${rule}\n\n${texts.join("\n\n")}\n`;
}
