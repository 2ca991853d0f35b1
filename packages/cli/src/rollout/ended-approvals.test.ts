import { approvalRoutes } from "@svc/api/approval-routes";
import { expect, it } from "vitest";
import { ControlClient } from "../connection/control-client.ts";
import { answersByPath, scriptedServer } from "../testing/scripted-server.suite.ts";
import { countEndedApprovals } from "./store-version.ts";

const [item] = approvalRoutes.listApprovals.answers[200].example.approvals;

async function counted(answers: Readonly<Record<string, unknown>>, base: number | null) {
  const url = new URL(await scriptedServer(answersByPath(answers)));
  const client = new ControlClient({ url, apiKey: null, orgId: null, source: "--url" });
  return countEndedApprovals(client, { id: "refunds", base });
}

// proves APR-75
it("counts the open approvals of the version before, and of no other policy", async () => {
  const approvals = [
    item,
    { ...item, id: "apr_2", policy_id: "other" },
    { ...item, id: "apr_3", policy_version: 2 },
  ];
  const answers = { "/approvals": { approvals, next_cursor: null } };
  expect(await counted(answers, 3)).toBe(1);
  expect(await counted(answers, null)).toBe(0);
});

// proves APR-75
it("does not claim that there are none where they cannot be read", async () => {
  expect(await counted({}, 3)).toBeNull();
});
