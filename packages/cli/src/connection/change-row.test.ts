import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import { keyRoutes } from "@svc/api/key-routes";
import { expect, it } from "vitest";
import { scriptedServer } from "../testing/scripted-server.suite.ts";
import { changeRowMember, findChangeRow, rowsBefore } from "./change-row.ts";
import { ControlClient } from "./control-client.ts";

const PAGE = auditQueryRoutes.listAuditRows.answers[200].example;
const rowOf = (id: string) => ({ ...PAGE.rows[0], id, row: { ...PAGE.rows[0]?.row, action: "disabled" } });

// proves CLI-79
it("asks for no row that the key may not read, and says nothing of it", async () => {
  const asked: (string | undefined)[] = [];
  const whoAmI = { ...keyRoutes.whoAmI.answers[200].example, scopes: ["approval:resolve"] };
  const url = await scriptedServer((request, response) => {
    asked.push(request.url);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whoAmI));
  });
  const client = new ControlClient({ url: new URL(url), apiKey: null, orgId: null, source: "--url" });
  expect(await rowsBefore(client, { kind: "policy" })).toEqual(new Set());
  const row = await findChangeRow(client, { kind: "policy" }, () => true);
  expect(row).toMatchObject({ id: null, why: "this key may not read the audit log" });
  expect(changeRowMember(row)).toEqual([]);
  expect(asked).toEqual(["/api/v1/whoami"]);
});

// proves CLI-81
it("does not take the row of an earlier change for that of this one, while the index lags", async () => {
  let asked = 0;
  const url = await scriptedServer((request, response) => {
    if (request.url?.includes("whoami") === false) asked += 1;
    // The third question finds the index up to date.
    const rows = asked < 3 ? [rowOf("led_1:5")] : [rowOf("led_1:9"), rowOf("led_1:5")];
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ ...PAGE, rows }));
  });
  const client = new ControlClient({ url: new URL(url), apiKey: null, orgId: null, source: "--url" });
  const known = await rowsBefore(client, { kind: "policy" });
  const isIt = (row: Readonly<Record<string, unknown>>): boolean => row["action"] === "disabled";
  expect(await findChangeRow(client, { kind: "policy" }, isIt, known)).toEqual({ id: "led_1:9", why: null });
});
