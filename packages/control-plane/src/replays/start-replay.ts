import { MAX_REPLAY_ROWS } from "@svc/contract/limits";
import type { Principal } from "@svc/contract/principal";
import type { ReplayRecord, ReplayRequest } from "@svc/contract/replay";
import type { DocumentText } from "@svc/policy-analysis/check-document";
import { digestOfText } from "@svc/text/digest-of";
import { callStore, NOT_READ } from "../call-store.ts";
import { getPolicy } from "../policies/get-policy.ts";
import { getPolicyVersion } from "../policies/get-policy-version.ts";
import { withGuardrails, writtenText } from "../policies/known-guardrails.ts";
import { checkText, judged, ORDINARY_LOAD } from "../policies/read-document.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { failLost } from "./lost-replays.ts";
import { rangesOf } from "./recorded-rows.ts";
import { renderReplayWork } from "./replay-work.ts";

/** Replays of one key that wait or run at once, as count. */
const MAX_ACTIVE_PER_KEY = 3;

type StartPorts = Pick<
  ControlPlanePorts,
  | "log"
  | "clock"
  | "newId"
  | "policies"
  | "guardrails"
  | "documents"
  | "recordedCalls"
  | "replays"
  | "replayRunner"
  | "digestKey"
>;

/** Checks the candidate, finds the rows, and hands the replay to the runner of this process. */
export async function startReplay(
  ports: StartPorts,
  principal: Principal,
  { policyId, request }: { readonly policyId: string; readonly request: ReplayRequest },
): Promise<Outcome<ReplayRecord>> {
  const candidate = await candidateOf(ports, principal, policyId, request);
  if (candidate.kind === "problem") return candidate;
  const base = await baseOf(ports, principal, policyId, request);
  if (base?.kind === "problem") return base;
  const now = ports.clock.now().toISOString();
  const until = request.until === null || request.until > now ? now : request.until;
  if (request.since >= until)
    return refuse("invalid_request", `since: expected a time before ${until}, found ${request.since}.`);
  const range = { since: request.since, until: request.until === null ? null : until };
  const found = await callStore(ports, NOT_READ, () => rangesOf(ports.recordedCalls, range));
  if (found.kind === "problem") return found;
  const { logs, rows } = found.value;
  if (rows > MAX_REPLAY_ROWS) return tooManyRows(rows);
  if (ports.replayRunner.activeOf(principal.org, principal.id) >= MAX_ACTIVE_PER_KEY) return tooManyOfKey();
  const { text, version, mode } = candidate;
  const record: ReplayRecord = {
    id: ports.newId("rpl"),
    policy_id: policyId,
    candidate: { version, document_digest: digestOfText(text.source), mode },
    base_version: request.baseVersion,
    since: request.since,
    until,
    agents: request.agents,
    status: "queued",
    reason: null,
    progress: { rows_read: 0, rows_total: rows },
    created_at: now,
    created_by: principal.id,
    ended_at: null,
    result: null,
  };
  const compared = base === null ? {} : { base: base.value };
  const work = { kind: "replay", candidate: text, ...compared, policyId, agents: request.agents } as const;
  const { org } = principal;
  const created = await create(ports, org, record, renderReplayWork({ work, logs }));
  if (created !== null) return created;
  const order = { id: record.id, work, org, since: record.since, until, logs, digestKey: ports.digestKey };
  ports.replayRunner.enqueue(org, record, order);
  return { kind: "ok", value: record };
}

interface Candidate {
  readonly kind: "candidate";
  readonly text: DocumentText;
  readonly version: number | null;
  readonly mode: ReplayRecord["candidate"]["mode"];
}

async function candidateOf(
  ports: StartPorts,
  principal: Principal,
  id: string,
  { candidate }: ReplayRequest,
): Promise<Candidate | Refusal> {
  const version = candidate.kind === "stored" ? candidate.version : null;
  const stored =
    version === null
      ? await getPolicy(ports, principal, id)
      : await getPolicyVersion(ports, principal, { id, version });
  if (stored.kind === "problem") return stored;
  const { record } = stored.value;
  const text = candidate.kind === "stored" ? writtenText(stored.value) : writtenBy(candidate);
  const known =
    candidate.kind === "stored"
      ? ({ kind: "ok", value: text } as const)
      : await withGuardrails(ports, principal.org, text);
  if (known.kind === "problem") return known;
  const checked = await checkText(ports, known.value);
  if (checked.kind === "problem") return checked;
  const check = judged(known.value, checked.value, ORDINARY_LOAD);
  if (check.kind === "problem") return check;
  const { mode } = check.policy;
  return {
    kind: "candidate",
    text: known.value,
    mode,
    version: candidate.kind === "stored" ? record.version : null,
  };
}

function writtenBy({
  source,
  isJson,
}: Extract<ReplayRequest["candidate"], { kind: "document" }>): DocumentText {
  return { source, mediaType: isJson ? "application/json" : "application/yaml" };
}

/** Null: the decisions are compared with the recorded ones. */
async function baseOf(
  ports: StartPorts,
  principal: Principal,
  id: string,
  { baseVersion: version }: ReplayRequest,
): Promise<Outcome<DocumentText> | null> {
  if (version === null) return null;
  const stored = await getPolicyVersion(ports, principal, { id, version });
  if (stored.kind === "problem") return stored;
  return { kind: "ok", value: writtenText(stored.value) };
}

/** Null: it is stored. A replay that its process left behind does not keep a place. */
async function create(
  ports: StartPorts,
  org: string,
  record: ReplayRecord,
  work: string,
): Promise<Refusal | null> {
  const stored = ports.replayRunner.stored(record);
  const attempt = () => callStore(ports, NOT_READ, () => ports.replays.createReplay(org, stored, work));
  let created = await attempt();
  if (created.kind !== "problem" && created.value.kind === "too_many" && (await failLost(ports, org)))
    created = await attempt();
  if (created.kind === "problem") return created;
  if (created.value.kind === "created") return null;
  return refuse(
    "limit_reached",
    `${String(created.value.active)} replays of this organization wait or run. Wait for one, or cancel it.`,
  );
}

function tooManyRows(rows: number): Refusal {
  return refuse(
    "too_much_work",
    `The range has ${rows.toLocaleString("en-US")} rows: a replay reads at most ` +
      `${MAX_REPLAY_ROWS.toLocaleString("en-US")}. Choose a later since or an earlier until.`,
  );
}

function tooManyOfKey(): Refusal {
  return refuse(
    "limit_reached",
    `${String(MAX_ACTIVE_PER_KEY)} replays of this key wait or run. Wait for one, or cancel it.`,
  );
}
