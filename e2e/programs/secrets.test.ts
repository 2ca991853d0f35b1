// long: each test starts a server several times
import { chmodSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { generateMasterKey, parseMasterKeys } from "@svc/secrets/master-keys";
import { Secrets } from "@svc/secrets/secrets";
import { openSqliteStore } from "@svc/store/open-sqlite-store";
import { isLongRun } from "@svc/text/testing/runs";
import { describe, expect, it } from "vitest";
import { runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { createPolicy, execute } from "../support/server/api.ts";
import { fetchWithKey } from "../support/server/role-keys.ts";
import { SERVER_ENTRY, startServer } from "../support/server/server-process.ts";

const CANARY = "whsec_Y2FuYXJ5LWluLWEtY29hbC1taW5l";
/** Calls of the search for the secret: each is a line of answers and one of the export. */
const CALLS = isLongRun ? 50_000 : 500;

/** Calls under way at once. */
const AT_ONCE = 50;

const PLACE = { org: "default", kind: "webhook", id: "wh-1" };

/** The forms in which a secret would stand somewhere. */
const FORMS = [CANARY, CANARY.slice(6)].flatMap((text) =>
  [text, encodeURIComponent(text)].concat(
    (["base64", "base64url", "hex"] as const).map((form) => Buffer.from(text).toString(form)),
  ),
);

/** Opens what a server that has ended left behind. */
async function withSecrets<Result>(
  dataDir: string,
  work: (secrets: Secrets) => Promise<Result>,
  key = readFileSync(join(dataDir, "secrets-key"), "utf8"),
): Promise<Result> {
  const logId = readFileSync(join(dataDir, "gateway-id"), "utf8").trim();
  const store = await openSqliteStore({ dataDir, logId });
  try {
    return await work(new Secrets({ store: store.secrets, keys: parseMasterKeys(key) }));
  } finally {
    await store.close();
  }
}

async function runOnce(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  await (await startServer({ dataDir, env })).stop();
}

/** A data directory whose store holds a secret. */
async function directoryWithSecret(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const dataDir = await temporaryDirectory();
  await runOnce(dataDir, env);
  await withSecrets(dataDir, (secrets) => secrets.put(PLACE, CANARY), env["SVC_SECRETS_KEY"]);
  return dataDir;
}

const program = (dataDir: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  runProgram(process.execPath, [SERVER_ENTRY, ...args], {
    SVC_DATA_DIR: dataDir,
    SVC_LISTEN: "127.0.0.1:0",
    ...env,
  });

describe("stored secrets of a server", () => {
  // proves SECR-06
  it("stand in no log, row, export, answer or file", { timeout: isLongRun ? 300_000 : 60_000 }, async () => {
    const dataDir = await directoryWithSecret();
    const key = readFileSync(join(dataDir, "secrets-key"), "utf8").trim();
    const server = await startServer({ dataDir, env: { SVC_LOG_LEVEL: "trace" } });
    await createPolicy(server.url);
    const verdicts: string[] = [];
    const call = async (worker: number): Promise<void> => {
      for (let n = worker; n < CALLS; n += AT_ONCE)
        verdicts.push(JSON.stringify(await execute(server.url, { session_id: `s-${String(n)}` })));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, worker) => call(worker)));
    const paths = ["audit/export", "audit/rows", "policies", "keys", "audit/checkpoints", "openapi.json"];
    const answers = await Promise.all(
      paths.map(async (path) => (await fetchWithKey(`${server.url}/api/v1/${path}`)).text()),
    );
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    await server.stop();
    const files = readdirSync(dataDir, { recursive: true, encoding: "utf8" })
      .map((name) => join(dataDir, name))
      .filter((path) => statSync(path).isFile() && !path.endsWith("secrets-key"))
      .map((path) => readFileSync(path, "latin1"));
    const texts = [...verdicts, ...answers, metrics, server.output(), ...files];
    expect(texts.flatMap((text) => text.split("\n")).length).toBeGreaterThan(2 * CALLS);
    const forms = [...FORMS, key];
    expect(texts.filter((text) => forms.some((form) => text.includes(form)))).toEqual([]);
    expect(await withSecrets(dataDir, (secrets) => secrets.get(PLACE))).toBe(CANARY);
  });

  // proves SECR-03, SECR-05
  it("refuse the start without their key file, and with one that others can read", async () => {
    const dataDir = await directoryWithSecret();
    const path = join(dataDir, "secrets-key");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o644);
    const open = await program(dataDir);
    expect([open.exitCode, open.stderr]).toEqual([
      1,
      expect.stringContaining("expected the mode 0600, found 0644"),
    ]);
    rmSync(path);
    const lost = await program(dataDir);
    expect(lost.exitCode).toBe(1);
    expect(lost.stderr).toMatch(
      /holds encrypted secrets that this process cannot read.*Restore .*secrets-key/s,
    );
  });

  // proves SECR-04
  it("are rotated by the command: those of a key file, and those of a variable", async () => {
    const ofFile = await directoryWithSecret();
    const before = readFileSync(join(ofFile, "secrets-key"), "utf8");
    expect(await program(ofFile, ["--rotate-secrets"])).toEqual({
      exitCode: 0,
      stdout: "rotated the keys of 1 organization with 1 secret\n",
      stderr: "",
    });
    expect(readFileSync(join(ofFile, "secrets-key"), "utf8")).not.toBe(before);
    await runOnce(ofFile);
    expect(await withSecrets(ofFile, (secrets) => secrets.get(PLACE))).toBe(CANARY);

    const [old, next] = [generateMasterKey(), generateMasterKey()];
    const ofVariable = await directoryWithSecret({ SVC_SECRETS_KEY: old });
    const refused = await program(ofVariable, ["--rotate-secrets"], { SVC_SECRETS_KEY: next });
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("behind a new one")]);
    const both = { SVC_SECRETS_KEY: `${next},${old}` };
    expect((await program(ofVariable, ["--rotate-secrets"], both)).exitCode).toBe(0);
    expect((await program(ofVariable, [], { SVC_SECRETS_KEY: old })).exitCode).toBe(1);
    await runOnce(ofVariable, { SVC_SECRETS_KEY: next });
    expect(await withSecrets(ofVariable, (secrets) => secrets.get(PLACE), next)).toBe(CANARY);
    expect(readdirSync(ofVariable)).not.toContain("secrets-key");
  });

  it("are not rotated while a server has the store", async () => {
    const server = await startServer();
    const { exitCode, stderr } = await program(server.dataDir, ["--rotate-secrets"]);
    await server.stop();
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/cannot be opened: .*(use|another)/s)]);
  });
});
