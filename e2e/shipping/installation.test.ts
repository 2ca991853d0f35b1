// long: copies the programs as a page says
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { documentSteps } from "../support/cli/document-commands.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { execute } from "../support/server/api.ts";
import { startInstalledServer } from "./start-installed-server.ts";

const ROOT = join(import.meta.dirname, "..", "..");

// proves OPS-51, OPS-54
it("the programs run from where docs/DEPLOY.md installs them, as the units start them", async () => {
  const page = readFileSync(join(ROOT, "docs/DEPLOY.md"), "utf8");
  const section = page.split("\n## systemd\n")[1]?.split("\n## ")[0] ?? "";
  const [install] = documentSteps(section);
  const folder = await temporaryDirectory();
  const here = (text: string): string => text.replaceAll("/opt/svc", join(folder, "svc"));
  const script = ["set -e", `cd '${ROOT}'`, here(install?.command ?? "")].join("\n");
  const env = { HOME: process.env["HOME"] ?? "/" };
  expect(await runProgram("bash", ["-c", script], env)).toMatchObject({ exitCode: 0 });

  for (const unit of ["svc-server", "svc-checkgw", "svc-extproc", "svc-mcp-proxy@"]) {
    const text = readFileSync(join(ROOT, "deploy/systemd", `${unit}.service`), "utf8");
    const [command = "", ...args] = here(/^ExecStart=(.*)$/m.exec(text)?.[1] ?? "").split(" ");
    const version = await runProgram(command, [...args, "--version"], {}, { cwd: folder });
    expect([unit, version.exitCode]).toEqual([unit, 0]);
    if (unit !== "svc-server") continue;
    const { url } = await startInstalledServer([command, ...args], folder);
    expect((await execute(url)).body).toMatchObject({ decision: "deny" });
  }
});
