import { policyRoutes } from "@svc/api/policy-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ControlClient } from "../connection/control-client.ts";
import { everyPage } from "../connection/every-page.ts";

/** One version in the history of a policy. */
export type HistoryEntry = JsonAnswerOf<typeof policyRoutes.listPolicyVersions>["body"]["versions"][number];

/** The versions of a policy, newest first, page by page. @throws CommandFailure */
export async function* readHistory(
  client: Pick<ControlClient, "ask">,
  id: string,
): AsyncGenerator<HistoryEntry> {
  const params = { policy_id: id };
  const pages = everyPage((cursor) =>
    client.ask(policyRoutes.listPolicyVersions, { params, query: { limit: String(MAX_PAGE_SIZE), cursor } }),
  );
  for await (const { versions } of pages) yield* versions;
}
