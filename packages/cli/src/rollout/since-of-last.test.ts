import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import { describe, expect, it } from "vitest";
import type { ControlClient } from "../connection/control-client.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { sinceOfLast } from "./diff-decisions.ts";

const FORBIDDEN = { outcome: "refused", code: "forbidden", mayBeDone: false } as const;

const HOUR_MS = 3_600_000;

/** A client over the times of decisions, newest first; two on a page. Null: the key may not read rows. */
function recorded(times: readonly string[], { mayReadRows = true } = {}): Pick<ControlClient, "ask"> {
  const ask = async (route: unknown, { query }: { readonly query: Readonly<Record<string, string>> }) => {
    if (route === auditQueryRoutes.getPolicyReport) {
      const decisions = times.filter((time) => time >= (query["since"] ?? "")).length;
      return { body: { since: query["since"], decisions } };
    }
    if (!mayReadRows) throw new RequestFailure("no audit:read", FORBIDDEN);
    const from = Number(query["cursor"] ?? 0);
    const rows = times.slice(from, from + 2).map((time) => ({ time }));
    return { body: { rows, next_cursor: from + 2 < times.length ? String(from + 2) : null } };
  };
  return { ask: ask as unknown as ControlClient["ask"] };
}

const ago = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();

describe("sinceOfLast", () => {
  // proves CLI-45
  it("is the time of the last decision that counts, over pages", async () => {
    const client = recorded(["5", "4", "3", "2", "1"]);
    expect(await sinceOfLast(client, "p", 3)).toBe("3");
    expect(await sinceOfLast(client, "p", 9)).toBe("1");
    expect(await sinceOfLast(recorded([]), "p", 9)).toBe(null);
  });

  // proves CLI-45
  it("comes from reports for a key that may not read rows", async () => {
    const client = recorded([ago(0.1), ago(2), ago(3), ago(50)], { mayReadRows: false });
    const hours = async (count: number): Promise<number> =>
      Math.round((Date.now() - Date.parse((await sinceOfLast(client, "p", count)) ?? "")) / HOUR_MS);
    expect(await hours(1)).toBe(0);
    expect(await hours(3)).toBe(6);
    expect(await hours(4)).toBe(7 * 24);
    expect(await hours(400)).toBe(92 * 24);
    expect(await sinceOfLast(recorded([], { mayReadRows: false }), "p", 1)).toBe(null);
  });
});
