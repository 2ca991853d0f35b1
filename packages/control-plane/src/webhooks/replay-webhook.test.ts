import type { WaitingDelivery } from "@svc/store/ports/delivery-store";
import { expect, it } from "vitest";
import { OPERATOR, STRANGER, testPorts } from "../testing/test-ports.ts";
import { createWebhook } from "./create-webhook.ts";
import { replayWebhook, tryReplay } from "./replay-webhook.ts";
import { updateWebhook } from "./webhooks.ts";

const CREATION = { url: "https://hooks.example/in", description: null, enabled: true } as const;
const TAKES = { events: ["*"], agents: null, namespaces: null, decisions: null } as const;

/** Three deliveries at the seconds 1, 2 and 3, and a webhook whose later two are dead. */
async function scene() {
  const stored = testPorts();
  const all = [1, 2, 3].map((second): WaitingDelivery => {
    const row = { logId: "gw", seq: second };
    const named = { id: `dlv_${String(second)}`, eventId: `evt_gw-${String(second)}`, row };
    const type = "policy.decision";
    return { ...named, type, eventAtMs: second * 1_000, attempts: 0, nextAtMs: 0 };
  });
  const webhookSending = { ...stored.webhookSending, deliveriesOf: () => all };
  const ports = { ...stored, webhookSending };
  const made = await createWebhook(ports, OPERATOR, { ...CREATION, ...TAKES });
  if (made.kind === "problem") throw new Error(made.problem.detail);
  const { id } = made.value;
  const dead = all.slice(1).map((each) => ({ ...each, attempts: 11, nextAtMs: null }));
  await ports.deliveries.queue(id, dead);
  const rows = () => ports.database.auditRows.length;
  const waiting = async () => {
    const page = await ports.deliveries.waiting(id, { isDead: false, sinceMs: 0 }, { limit: 9, after: null });
    return page === "bad_cursor" ? expect.unreachable("expected a page") : page.items.length;
  };
  return { ports, id, rows, waiting };
}

// proves HOOK-40
it.each([
  ["all", { since: 0, until: 4_000 }, 3],
  ["all", { since: 2_000, until: 3_000 }, 1],
  ["dead", { since: 0, until: 4_000 }, 2],
  ["dead", { since: 0, until: 3_000 }, 1],
  ["dead", { since: 3_001, until: 4_000 }, 0],
] as const)(
  "a dry run of %s in %j counts what is then sent, and changes nothing",
  async (status, range, count) => {
    const { ports, id, rows, waiting } = await scene();
    const asked = { id, status, ...range };
    const before = [rows(), await waiting()];
    const tried = await tryReplay(ports, OPERATOR, asked);
    expect(tried).toMatchObject({ value: { dry_run: true, queued: count, next_cursor: null } });
    expect([rows(), await waiting()]).toEqual(before);
    expect(await replayWebhook(ports, OPERATOR, asked)).toMatchObject({ value: { queued: count } });
  },
);

// proves HOOK-40
it("a dry run is refused as the replay is", async () => {
  const { ports, id } = await scene();
  const asked = { id, status: "all", since: 0 } as const;
  expect(await tryReplay(ports, STRANGER, asked)).toMatchObject({ problem: { code: "not_found" } });
  const bad = { ...asked, cursor: "no cursor" };
  expect(await tryReplay(ports, OPERATOR, bad)).toEqual(await replayWebhook(ports, OPERATOR, bad));
  await updateWebhook(ports, OPERATOR, { id, update: { enabled: false } });
  expect(await tryReplay(ports, OPERATOR, asked)).toEqual(await replayWebhook(ports, OPERATOR, asked));
});
