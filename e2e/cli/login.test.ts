import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { expect, it, onTestFinished } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { startEnvironment } from "../support/processes/start-environment.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { BOOTSTRAP_ENV } from "../support/server/api-keys.ts";
import { loginKeyOf, startOidcProvider } from "../support/server/oidc-provider.ts";
import { PlainBrowser } from "../support/server/plain-browser.ts";
import { BOOTSTRAP_KEY } from "../support/server/role-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";

const PEOPLE = { ada: { name: "Ada Lovelace", groups: ["finance"] } };

const DAMAGED = /answer of the server that is damaged/;

/** Starts svc-cli login, which waits for a browser. */
async function beginLogin(url: string, env: Readonly<Record<string, string>>) {
  const login = spawn(process.execPath, [CLI_ENTRY, "login", "--url", url, "--as", "work"], {
    env: { ...startEnvironment(), ...env },
  });
  onTestFinished(() => void login.kill("SIGKILL"));
  let shown = "";
  for (const stream of [login.stdout, login.stderr])
    stream.on("data", (piece: Buffer) => (shown += String(piece)));
  const ended = once(login, "close");
  await expect.poll(() => /^http\S+$/m.exec(shown)?.[0], { timeout: 20_000 }).toBeDefined();
  return { page: new URL(/^http\S+$/m.exec(shown)?.[0] ?? ""), ended, text: () => shown };
}

const bring = async (page: URL, state: string) =>
  fetch(`http://127.0.0.1:${page.searchParams.get("port") ?? ""}/?state=${state}&login=y`);

// proves PEO-09, PEO-12
it("svc-cli login gets a key by the browser, keeps it in a file of its own, and logout ends it", async () => {
  const provider = await startOidcProvider(PEOPLE);
  const SVC_PUBLIC_URL = `http://127.0.0.1:${String(await findFreePort())}`;
  const listen = { SVC_PUBLIC_URL, SVC_LISTEN: SVC_PUBLIC_URL.replace("http://", "") };
  const server = await serverOfTest({ env: { ...BOOTSTRAP_ENV, ...provider.env, ...listen } });
  provider.redirectTo(server.url);
  const config = await temporaryDirectory();
  const env = { XDG_CONFIG_HOME: config, SVC_API_KEY: "" };
  const broken = await beginLogin(server.url, env);
  const answered = await bring(broken.page, broken.page.searchParams.get("state") ?? "");
  expect([answered.status, await answered.text()]).toEqual([400, expect.stringMatching(DAMAGED) as string]);
  expect([await broken.ended, broken.text()]).toEqual([[3, null], expect.stringMatching(DAMAGED)]);
  const { page, ended, text } = await beginLogin(server.url, env);
  const browser = new PlainBrowser();
  expect((await bring(page, "x")).status).toBe(400);
  const location = await browser.giveLogin(page.href, "ada");
  expect(location).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?state=/);
  expect(location).not.toContain("svc_");
  expect((await fetch(location)).status).toBe(200);
  expect(await ended).toEqual([0, null]);
  expect(text()).toContain("Ada Lovelace");
  const file = join(config, "svc", "work-login.key");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const me = await runCli(["whoami", "--context", "work", "-o", "json"], env);
  expect(JSON.parse(me.stdout)).toMatchObject({ role: "approver", identity: { subject: "ada" } });
  const keyless = await runCli(["whoami", "--url", server.url], env);
  expect([keyless.exitCode, keyless.stderr]).toEqual([4, expect.stringContaining("with --context work")]);
  expect((await runCli(["logout", "--context", "work"], env)).exitCode).toBe(0);
  expect((await runCli(["whoami", "--context", "work"], env)).exitCode).toBe(4);
  const others = { ...env, SVC_URL: server.url, SVC_API_KEY: await loginKeyOf(server.url, "ada") };
  expect((await runCli(["whoami"], others)).exitCode).toBe(0);
  const person = `ada@${provider.issuer.replace("http://", "")}`;
  const operator = { ...others, SVC_API_KEY: BOOTSTRAP_KEY };
  const all = await runCli(["logout", "--person", person], operator);
  expect([all.exitCode, all.stdout]).toEqual([0, expect.stringContaining(`the logins of ${person}: `)]);
  expect((await runCli(["whoami"], others)).exitCode).toBe(4);
}, 60_000);
