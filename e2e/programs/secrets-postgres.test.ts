// peers: postgres
// long: it starts servers on PostgreSQL
import { readdirSync } from "node:fs";
import { generateMasterKey, parseMasterKeys } from "@svc/secrets/master-keys";
import { Secrets } from "@svc/secrets/secrets";
import { openPostgresStore } from "@svc/store/open-postgres-store";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { freshDatabase } from "@svc/store/testing/shared-postgres";
import { expect, it } from "vitest";
import { runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { send } from "../support/server/api.ts";
import { SERVER_ENTRY, serverOfTest } from "../support/server/server-process.ts";

const CANARY = "whsec_Y2FuYXJ5LWluLWEtY29hbC1taW5l";
const PLACE = { org: "default", kind: "webhook", id: "wh-1" };

async function withSecrets<Result>(
  url: string,
  key: string,
  work: (secrets: Secrets) => Promise<Result>,
): Promise<Result> {
  const store = await openPostgresStore({ url, logId: "of-the-test" });
  try {
    return await work(new Secrets({ store: store.secrets, keys: parseMasterKeys(key) }));
  } finally {
    await store.close();
  }
}

describePostgres("stored secrets of servers on PostgreSQL", () => {
  // proves SECR-03, SECR-04
  it("need their key at each start, and are rotated beside processes that go on", async () => {
    const databaseUrl = await freshDatabase();
    const [old, next] = [generateMasterKey(), generateMasterKey()];
    const env = { SVC_DATABASE_URL: databaseUrl, SVC_SECRETS_KEY: `${next},${old}` };
    const server = await serverOfTest({ env });
    expect(readdirSync(server.dataDir)).not.toContain("secrets-key");
    await withSecrets(databaseUrl, old, (secrets) => secrets.put(PLACE, CANARY));

    const run = async (more: Readonly<Record<string, string>>, ...args: readonly string[]) =>
      runProgram(process.execPath, [SERVER_ENTRY, ...args], {
        SVC_DATABASE_URL: databaseUrl,
        SVC_DATA_DIR: await temporaryDirectory(),
        SVC_LISTEN: "127.0.0.1:0",
        ...more,
      });
    const without = await run({});
    expect([without.exitCode, without.stderr]).toEqual([
      1,
      expect.stringContaining("SVC_SECRETS_KEY: expected the key of stored secrets, because"),
    ]);
    expect(await run({ SVC_SECRETS_KEY: env.SVC_SECRETS_KEY }, "--rotate-secrets")).toMatchObject({
      exitCode: 0,
      stdout: "rotated the keys of 1 organization with 1 secret\n",
    });
    expect((await send("GET", `${server.url}/readyz`)).status).toBe(200);
    expect((await run({ SVC_SECRETS_KEY: old })).exitCode).toBe(1);
    expect(await withSecrets(databaseUrl, next, (secrets) => secrets.get(PLACE))).toBe(CANARY);
    await serverOfTest({ env: { ...env, SVC_SECRETS_KEY: next } });
  });
});
