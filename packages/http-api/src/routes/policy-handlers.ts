import type { policyRoutes } from "@svc/api/policy-routes";
import { policyFilter } from "@svc/contract/policy-list";
import { createPolicy } from "@svc/control-plane/create-policy";
import { getPolicy } from "@svc/control-plane/get-policy";
import { getPolicyVersion } from "@svc/control-plane/get-policy-version";
import { listPolicies } from "@svc/control-plane/list-policies";
import { listPolicyVersions } from "@svc/control-plane/list-policy-versions";
import { policyInForce } from "@svc/control-plane/policy-in-force";
import type { LoadMode } from "@svc/control-plane/read-document";
import { rollbackPolicy } from "@svc/control-plane/rollback-policy";
import { updatePolicy } from "@svc/control-plane/update-policy";
import { documentText } from "./document-text.ts";
import type { Handlers } from "./handler.ts";
import { replyAppended, replyCreated, replyPolicy } from "./policy-replies.ts";
import { found, listed, pageOf } from "./reply-found.ts";

export const policyHandlers: Handlers<typeof policyRoutes> = {
  createPolicy: async ({ query, body }, context) => {
    const text = documentText(body);
    if (text.kind === "problem") return text;
    const { ports, principal } = context;
    return replyCreated(context, await createPolicy(ports, principal, text.value, loadMode(query)));
  },
  listPolicies: async ({ query: { limit, cursor, ...filters } }, { ports, principal }) => {
    const asked = { filter: policyFilter(filters), page: pageOf({ limit, cursor }) };
    return listed("policies", await listPolicies(ports, principal, asked));
  },
  getPolicy: async ({ params }, context) =>
    replyPolicy(context, await getPolicy(context.ports, context.principal, params.policy_id)),
  getPolicyGateways: async ({ params }, { ports, principal }) =>
    found(await policyInForce(ports, principal, params.policy_id)),
  updatePolicy: async ({ params, query, body, ifMatch }, context) => {
    const text = documentText(body);
    if (text.kind === "problem") return text;
    const change = {
      id: params.policy_id,
      text: text.value,
      expectedVersion: ifMatch,
      load: loadMode(query),
    };
    return replyAppended(context, await updatePolicy(context.ports, context.principal, change));
  },
  listPolicyVersions: async ({ params, query }, { ports, principal }) => {
    const page = pageOf(query);
    return listed("versions", await listPolicyVersions(ports, principal, { id: params.policy_id, page }));
  },
  getPolicyVersion: async ({ params: { policy_id: id, version } }, context) =>
    replyPolicy(context, await getPolicyVersion(context.ports, context.principal, { id, version })),
  rollbackPolicy: async ({ params, query, body, ifMatch }, context) => {
    const { target_version } = body;
    const why = body.why ?? query.why;
    const change = {
      id: params.policy_id,
      target_version,
      expectedVersion: ifMatch,
      load: loadMode({ ...query, why }),
    };
    return replyAppended(context, await rollbackPolicy(context.ports, context.principal, change));
  },
};

interface LoadQuery {
  readonly strict: boolean;
  readonly dry_run: boolean;
  readonly why?: string | undefined;
}

function loadMode({ strict, dry_run, why }: LoadQuery): LoadMode {
  return { strict, dryRun: dry_run, why: why ?? null };
}
