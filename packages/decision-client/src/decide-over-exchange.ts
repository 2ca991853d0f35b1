import type { Decide, DecideOptions } from "@svc/contract/decide";
import type { DenyVerdict, Verdict } from "@svc/contract/verdict";
import { MAX_CONNECTIONS } from "./connections.ts";
import { Deadlines } from "./deadlines.ts";
import type { DecisionClientSettings } from "./decision-client-settings.ts";
import { FairShare } from "./fair-share.ts";
import type { GatewayExchange } from "./gateway-exchange.ts";
import { type Asking, PendingQuestion } from "./pending-question.ts";

/** The client that all adapters share. It turns every fault into a deny with `fail_closed`. */
export interface DecisionClient {
  readonly decide: Decide;
  /** Closes all connections at once. Pending questions are denied. */
  close(): Promise<void>;
}

export interface DecisionClientPorts {
  /** Milliseconds that only move forward. */
  readonly monotonicMs: () => number;
  /**
   * Called for every deny with `fail_closed`, ours or the gateway's own, for logs and metrics. If it throws,
   * the deny stays.
   */
  readonly onFault: (deny: DenyVerdict) => void;
}

/** The client never throws and never rejects. It closes the exchange when it is closed. */
export function decideOverExchange(
  exchange: GatewayExchange,
  settings: DecisionClientSettings,
  ports: DecisionClientPorts,
): DecisionClient {
  const asking: Asking = {
    settings,
    exchange,
    share: new FairShare(MAX_CONNECTIONS),
    deadlines: new Deadlines(settings.timeoutMs, () => ports.monotonicMs()),
    onFault: (deny) => ports.onFault(deny),
  };
  const decide: Decide = (call, options = NO_OPTIONS) => {
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    new PendingQuestion(asking, resolve).ask(call, options);
    return promise;
  };
  return { decide, close: () => exchange.close() };
}

const NO_OPTIONS: DecideOptions = {};
