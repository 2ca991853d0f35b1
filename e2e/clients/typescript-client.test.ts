// long: it packs, installs and runs the library as its users do
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { createPolicy } from "../support/server/api.ts";
import { keyInEnvironment } from "../support/server/role-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PACKAGE = join(ROOT, "packages", "sdk", "dist");
const COMPILER = join(ROOT, "node_modules", "typescript", "bin", "tsc");

const TIMEOUT_MS = 120_000;

/** What both kinds of module run. Their lines are what a user sees of each verdict. */
const CALLS = `
const AGENT = { agentId: "agent-1" };
const fn = ({ amount }) => "paid " + amount;
const shown = (error) => error.name + " " + error.reason_code;
const tried = async (calling) => console.log(await calling.catch(shown));
const run = async () => {
  await tried(governCall("payments.refund", { amount: 10 }, { ...AGENT, fn }));
  await tried(governCall("mail.send", { amount: 10 }, { ...AGENT, fn }));
  await tried(governed(AGENT, (ctx) => ctx.execute("payments.refund", { amount: 1 }, { fn })));
  process.env.SVC_URL = "http://127.0.0.1:1";
  await tried(new SvcClient().execute("payments.refund", { amount: 1 }, AGENT));
};
run();
`;

const SEEN = ["paid 10", "SvcDenied not_allowed", "paid 1", "SvcDenied gateway_unreachable"];

/** What the operator reads about the last call. */
const HINT =
  "svc-client: No answer came from the gateway (BAD_PORT). " +
  "fetch refuses to connect to the port of http://127.0.0.1:1. Choose another port for the gateway.\n";

const NAMES = "{ governCall, governed, SvcClient }";

/** Uses the types as a program with strict settings does. */
const TYPED = `
import { governedFn, SvcDenied, type Verdict } from "@svc/client";
import { type Decision, PolicyGateway } from "@svc/client/testing";
const options = { agentId: "a", parameters: ["amount", "to"] };
const pay = governedFn("pay", options)((amount: number, to: string) => to.length + amount);
export const paid: Promise<number> = pay(1, "a");
export const isDeny = (verdict: Verdict): boolean => verdict.decision === "deny";
export const rule = (error: unknown): string | null => (SvcDenied.isInstance(error) ? error.rule_id : null);
const gateway = new PolicyGateway({ file: "p.yaml", source: "id: p" }, { now: new Date() });
export const last: Decision | undefined = gateway.decisions.at(-1);
// @ts-expect-error a member of a decision has its name
gateway.expectDecision({ tol: "pay" });
// @ts-expect-error a parameter has its type
void pay("1", "a");
`;

async function installed(): Promise<string> {
  const folder = await temporaryDirectory();
  const here = { cwd: folder };
  const packed = await runProgram("npm", ["pack", "--silent", PACKAGE], {}, here);
  expect([packed.stderr, packed.exitCode]).toEqual(["", 0]);
  const archive = `./${packed.stdout.trim()}`;
  const manifest = { name: "user", version: "1.0.0", private: true };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  const args = ["install", "--silent", "--offline", "--no-audit", "--no-fund", archive];
  expect((await runProgram("npm", args, {}, here)).exitCode).toBe(0);
  return folder;
}

// proves LIB-11
it("the TypeScript library is installed as a package, and judges calls", {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = await installed();
  const server = await serverOfTest();
  expect((await createPolicy(server.url)).status).toBe(201);
  await writeFile(join(folder, "user.mjs"), `import ${NAMES} from "@svc/client";${CALLS}`);
  await writeFile(join(folder, "user.cjs"), `const ${NAMES} = require("@svc/client");${CALLS}`);
  for (const file of ["user.mjs", "user.cjs"]) {
    const env = { SVC_URL: server.url, ...(await keyInEnvironment("agent", server.url)) };
    const { stdout, stderr } = await runProgram(process.execPath, [file], env, { cwd: folder });
    expect([file, stderr, stdout.trim().split("\n")]).toEqual([file, HINT, SEEN]);
  }
  await writeFile(join(folder, "user.mts"), TYPED);
  const strict = ["--noEmit", "--strict", "--module", "nodenext", "--lib", "es2024,dom", "--types", ""];
  const args = [COMPILER, ...strict, "user.mts"];
  const compiled = await runProgram(process.execPath, args, {}, { cwd: folder });
  expect([compiled.stdout, compiled.exitCode]).toEqual(["", 0]);
});
