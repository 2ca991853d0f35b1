// long: it starts a PostgreSQL and two servers
// peers: postgres
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { openPostgresStore } from "@svc/store/open-postgres-store";
import { openSqliteStore } from "@svc/store/open-sqlite-store";
import { freshDatabase } from "@svc/store/testing/shared-postgres";
import { expect, it, onTestFinished, vi } from "vitest";
import { temporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { type Answer, createPolicy, execute, send } from "../../support/server/api.ts";
import { FormClient } from "../../support/server/approval-page.ts";
import { checkedExport } from "../../support/server/audit-export.ts";
import { keyOf } from "../../support/server/role-keys.ts";
import { serverOfTest, startServer } from "../../support/server/server-process.ts";
import { setSeverity } from "../../support/server/session-severity.ts";

const idOf = ({ body }: Answer): string =>
  new URL(String(body["approval_url"])).pathname.split("/").at(-1) ?? "";

/** Asks until the gateway answers with this code or decision. */
async function until(url: string, wanted: string): Promise<Answer> {
  return vi.waitFor(
    async () => {
      const answer = await execute(url);
      expect([answer.body["reason_code"], answer.body["decision"]]).toContain(wanted);
      return answer;
    },
    { timeout: 10_000 },
  );
}

const statusOf = async (url: string, id: string) =>
  (await send("GET", `${url}/api/v1/held-calls/${id}`)).body["status"];

const became = (url: string, id: string, status: string) =>
  vi.waitFor(async () => expect(await statusOf(url, id)).toBe(status), { timeout: 15_000 });

const waiting = (url: string, n: number, seconds = 30) =>
  execute(url, { args: { n } }, { prefer: `wait=${String(seconds)}` });

const endsOf = async (url: string) =>
  (await checkedExport(url)).flatMap(({ row }) =>
    row["kind"] === "held_call" ? [[row["action"], row["held_call_id"]]] : [],
  );

// proves HELD-02, HELD-05, HELD-07, HELD-08
it("PostgreSQL: calls wait for the recovery of their agent in order, and EMERGENCY denies them", async () => {
  const databaseUrl = await freshDatabase();
  const { url } = await serverOfTest({ env: { SVC_DATABASE_URL: databaseUrl } });
  const store = await openPostgresStore({ url: databaseUrl, logId: "gw_supervisor" });
  onTestFinished(() => store.close());
  expect((await createPolicy(url)).status).toBe(201);
  expect((await execute(url)).body["decision"]).toBe("allow");

  await setSeverity(store, "CRITICAL");
  const held = await until(url, "agent_suspended");
  const id = idOf(held);
  expect(idOf(await execute(url))).toBe(id);
  const listed = await send("GET", `${url}/api/v1/held-calls?status=held&agent_id=agent-1`);
  expect(listed.body).toMatchObject({ held_calls: [{ id, tool: "payments.refund", status: "held" }] });
  const page = new FormClient(url);
  expect((await page.signIn(`/approvals/${id}`, (await keyOf("approver", url)) ?? "")).status).toBe(303);
  const shown = await page.get(`/approvals/${id}`);
  expect([shown.status, shown.text]).toEqual([200, expect.stringContaining("Nobody can approve") as string]);

  const inTime = await waiting(url, 0, 1);
  expect(inTime.body).toMatchObject({ decision: "pause", reason_code: "agent_suspended" });
  expect(inTime.headers["preference-applied"]).toBe("wait=1");
  const judged: number[] = [];
  const held1 = waiting(url, 1).then((answer) => (judged.push(1), answer));
  await vi.waitFor(async () => {
    const { body } = await send("GET", `${url}/api/v1/held-calls`);
    expect(body["held_calls"]).toHaveLength(3);
  }, CONDITION_MS);
  const held2 = waiting(url, 2).then((answer) => (judged.push(2), answer));
  await vi.waitFor(async () => {
    const { body } = await send("GET", `${url}/api/v1/held-calls`);
    expect(body["held_calls"]).toHaveLength(4);
  }, CONDITION_MS);
  await setSeverity(store, "INFO");
  const [one, two] = [await held1, await held2];
  expect([one.body["decision"], two.body["decision"], judged]).toEqual(["allow", "allow", [1, 2]]);
  await became(url, id, "released");

  await setSeverity(store, "CRITICAL");
  await until(url, "agent_suspended");
  const again = idOf(await execute(url));
  expect(again).not.toBe(id);
  const doomed = waiting(url, 3);
  await vi.waitFor(async () => {
    const { body } = await send("GET", `${url}/api/v1/held-calls?status=held`);
    expect(body["held_calls"]).toHaveLength(2);
  }, CONDITION_MS);
  await setSeverity(store, "EMERGENCY");
  expect((await doomed).body).toMatchObject({ decision: "deny", reason_code: "severity_emergency" });
  expect((await execute(url)).body["decision"]).toBe("deny");
  await became(url, again, "revoked");
  const ends = await endsOf(url);
  expect(ends).toContainEqual(["released", id]);
  expect(ends).toContainEqual(["revoked", again]);
}, 120_000);

// proves HELD-03, HELD-08
it("SQLite: held calls survive the process, and are released after its next start", async () => {
  const dataDir = await temporaryDirectory();
  const whileStopped = async (severity: "CRITICAL" | "INFO") => {
    const store = await openSqliteStore({ dataDir, logId: "gw_supervisor" });
    await setSeverity(store, severity);
    await store.close();
  };
  const first = await startServer({ dataDir });
  expect((await createPolicy(first.url)).status).toBe(201);
  await first.stop();
  await whileStopped("CRITICAL");
  const second = await startServer({ dataDir });
  const id = idOf(await execute(second.url));
  expect(await statusOf(second.url, id)).toBe("held");
  await second.stop("SIGKILL");
  const third = await startServer({ dataDir });
  expect(idOf(await execute(third.url))).toBe(id);
  await third.stop();
  await whileStopped("INFO");
  const { url } = await serverOfTest({ dataDir });
  await became(url, id, "released");
  expect((await execute(url)).body["decision"]).toBe("allow");
}, 120_000);
