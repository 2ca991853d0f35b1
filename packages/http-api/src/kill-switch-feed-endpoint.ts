import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { faultFields } from "@svc/contract/fault-fields";
import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { Principal } from "@svc/contract/principal";
import { type Problem, problem } from "@svc/contract/problem";
import { refuseScope } from "@svc/contract/refuse-scope";
import type { Gateway } from "@svc/gateway/gateway";
import { COMMON_HEADERS } from "@svc/http-edge/answer";
import { LazyRequestId } from "@svc/http-edge/request-id";
import { sendJson, sendProblem } from "@svc/http-edge/send-json";
import type { Warn } from "@svc/process/limited-warnings";
import { excerpt } from "@svc/text/excerpt";
import type { Authenticate } from "./authentication.ts";
import type { NoteRefusal } from "./refusal-log.ts";
import { EXCERPT_LENGTH } from "./refuse-query-names.ts";
import { refusedMethod } from "./unmatched-route.ts";

/**
 * Milliseconds that a request waits for a change. Each answer also shows that control state is current. An
 * adapter without one for CONTROL_LEASE_MS ends its running calls, so there is time for a slow answer.
 */
const WAIT_MS = CONTROL_LEASE_MS / 3;

/** Requests that wait or are being answered, as count. Each adapter process has one. */
const MAX_FOLLOWERS = 1_000;

/** The same of one API key, as count, so that one key does not keep the adapters of others from following. */
const MAX_FOLLOWERS_PER_KEY = 500;

/** Seconds after which a refused follower may try again. */
const RETRY_AFTER_S = "1";

/** Switches written in one turn of the event loop, as count. They take about a millisecond. */
const SWITCHES_PER_TURN = 500;

type FollowedGateway = Pick<Gateway, "killSwitchesSince" | "followKillSwitches" | "controlStateVerified">;

type Update = ReturnType<FollowedGateway["killSwitchesSince"]>;

export interface KillSwitchFeedParts {
  readonly gateway: FollowedGateway;
  /** The ended switches of an organization that were activated last, the newest first. */
  readonly endedSwitches: (org: string) => Promise<readonly KillSwitchRecord[]>;
  readonly authenticate: Authenticate;
  readonly warn: Warn;
  readonly noteRefusal: NoteRefusal;
  /** Fewer followers of one key, for tests. */
  readonly maxFollowersPerKey?: number;
}

interface Follower {
  readonly org: string;
  readonly after: number | null;
  /** Why the key may not act any more; null while it may. */
  readonly refusal: () => Problem | null;
}

/**
 * `GET gateway/kill-switches?after=<revision>`, for an adapter that stops running calls. It answers from
 * this gateway's own control state: at once when something changed after that revision, else after
 * WAIT_MS. Without `after`, or when the gateway no longer holds the changes since that revision, it sends
 * all active switches, and from the store those that have ended.
 */
export class KillSwitchFeedEndpoint {
  readonly #parts: KillSwitchFeedParts;
  #followers = 0;
  /** By organization and key. */
  readonly #ofKey = new Map<string, number>();

  constructor(parts: KillSwitchFeedParts) {
    this.#parts = parts;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "GET") {
      const { problem: refusal, headers } = refusedMethod(["GET"]);
      return sendProblem(response, refusal, headers);
    }
    const authentication = this.#parts.authenticate(request);
    if (authentication.kind === "problem") return this.#refuse(request, response, authentication.problem);
    const { principal, refusal } = authentication;
    const forbidden = refuseScope(principal, "kill_switch:follow");
    if (forbidden !== null) return this.#refuse(request, response, forbidden);
    const after = readAfter(request.url ?? "");
    if (typeof after === "object" && after !== null) return this.#refuse(request, response, after, principal);
    const key = JSON.stringify([principal.org, principal.id]);
    const crowd = this.#crowd(key);
    if (crowd !== null)
      return sendProblem(response, problem("overloaded", crowd), { "retry-after": RETRY_AFTER_S });
    this.#count(key, 1);
    try {
      await this.#answer(response, { org: principal.org, after, refusal });
    } finally {
      this.#count(key, -1);
    }
  }

  /** Why one more follower with this key is too many; null when it is not. */
  #crowd(key: string): string | null {
    if (this.#followers >= MAX_FOLLOWERS)
      return `${String(MAX_FOLLOWERS)} adapters already follow kill switches`;
    const { maxFollowersPerKey: most = MAX_FOLLOWERS_PER_KEY } = this.#parts;
    const isFull = (this.#ofKey.get(key) ?? 0) >= most;
    return isFull ? `${String(most)} adapters with this key already follow kill switches` : null;
  }

  #count(key: string, change: 1 | -1): void {
    this.#followers += change;
    const count = (this.#ofKey.get(key) ?? 0) + change;
    if (count === 0) this.#ofKey.delete(key);
    else this.#ofKey.set(key, count);
  }

  #refuse(request: IncomingMessage, response: ServerResponse, refusal: Problem, principal?: Principal): void {
    const requestId = new LazyRequestId(request).text;
    const whose = principal === undefined ? {} : { principal };
    this.#parts.noteRefusal({ code: refusal.code, requestId, request, ...whose });
    sendProblem(response, { ...refusal, request_id: requestId });
  }

  async #answer(response: ServerResponse, { org, after, refusal }: Follower): Promise<void> {
    const { gateway } = this.#parts;
    const first = gateway.killSwitchesSince(org, after);
    if (!first.isComplete && first.records.length === 0) await this.#change(response, org);
    if (response.destroyed) return;
    const update = gateway.killSwitchesSince(org, after);
    const ended = await this.#ended(org, update);
    if (ended === null) return sendProblem(response, problem("unavailable", "the store does not answer"));
    // A follower must not receive state that this gateway itself no longer trusts.
    if (!gateway.controlStateVerified())
      return sendProblem(response, problem("unavailable", "control state is not verified"));
    const refused = refusal();
    if (refused !== null) return sendProblem(response, refused);
    const { epoch, revision, isComplete, records } = update;
    const head = { epoch, revision, complete: isComplete, ...ended };
    if (records.length <= SWITCHES_PER_TURN)
      return sendJson(response, 200, { ...head, kill_switches: records.map(switchOf) });
    await sendLong(response, head, records);
  }

  /**
   * What a complete list has besides the active switches; null when the store does not say. Read after the
   * list was taken: a switch that ends in between is in both, and so in one of them at least.
   */
  async #ended(org: string, { isComplete }: Update): Promise<{ ended?: readonly object[] } | null> {
    if (!isComplete) return {};
    try {
      return { ended: (await this.#parts.endedSwitches(org)).map(switchOf) };
    } catch (error) {
      this.#parts.warn("ended switches", faultFields(error), "ended kill switches could not be read");
      return null;
    }
  }

  /** Resolves at a change, after WAIT_MS, and when the follower has gone. */
  #change(response: ServerResponse, org: string): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        response.off("close", finish);
        unfollow();
        resolve();
      };
      const unfollow = this.#parts.gateway.followKillSwitches(org, finish);
      const timer = setTimeout(finish, WAIT_MS);
      response.once("close", finish);
    });
  }
}

const QUERY_EXPECTATION = "expected no query, or after=<revision> alone";

const AFTER = /^after=(0|[1-9][0-9]{0,14})$/;

/** The revision in the query; null when there is none. */
function readAfter(url: string): number | null | Problem {
  const cut = url.indexOf("?");
  if (cut < 0) return null;
  const after = AFTER.exec(url.slice(cut + 1))?.[1];
  return after === undefined
    ? problem("invalid_request", `${QUERY_EXPECTATION}, found ${excerpt(url.slice(cut + 1), EXCERPT_LENGTH)}`)
    : Number(after);
}

/** The members of a switch that a follower needs. It gets no reasons and no names of people. */
function switchOf({ kill_switch_id, scope, target_id, account_wide, status }: KillSwitchRecord): object {
  return { kill_switch_id, scope, target_id, account_wide, status };
}

/** Writes a long list in pieces, so that the gateway can judge calls in between. */
async function sendLong(
  response: ServerResponse,
  head: object,
  records: readonly KillSwitchRecord[],
): Promise<void> {
  response.writeHead(200, { ...COMMON_HEADERS, "content-type": "application/json" });
  response.write(`${JSON.stringify(head).slice(0, -1)},"kill_switches":[`);
  for (let at = 0; at < records.length && !response.destroyed; at += SWITCHES_PER_TURN) {
    const text = JSON.stringify(records.slice(at, at + SWITCHES_PER_TURN).map(switchOf)).slice(1, -1);
    const hasRoom = response.write(at === 0 ? text : `,${text}`);
    if (hasRoom) await nextTurn();
    else await drained(response);
  }
  response.end("]}");
}

async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  const over = new AbortController();
  await Promise.race([once(response, "drain", over), once(response, "close", over)]).catch(() => undefined);
  over.abort();
}
