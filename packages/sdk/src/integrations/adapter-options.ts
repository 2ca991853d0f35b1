import { isName } from "@svc/contract/name";
import { defaultClient } from "../default-client.ts";
import { foundValue } from "../found-value.ts";
import { refusedName } from "../require-name.ts";
import { SvcClient } from "../svc-client.ts";
import type { PendingApproval } from "./judgement.ts";

/** What every adapter takes. */
export interface AdapterOptions {
  /** The agent whose calls are judged. */
  readonly agentId: string;
  /**
   * The session of calls for which the framework knows no thread or conversation. As a function, it gets the
   * context that your program gave to the framework. A call for which it throws is denied.
   */
  readonly sessionId?: string | ((context: unknown) => string | undefined) | undefined;
  readonly namespace?: string | undefined;
  /**
   * How policies name a tool, where that is not the framework's name for it: { refund: "payments.refund" }.
   */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /** Without one, the client of the environment. */
  readonly client?: SvcClient | undefined;
  /**
   * Gets each approval that a call has to wait for, once. Show its address to a person where the framework's
   * own pause has no place for it. A call for which it throws is denied.
   */
  readonly onPause?: ((approval: PendingApproval) => void) | undefined;
}

/**
 * An adapter for frameworks with tools that never reach it, such as tools that
 * the provider of the model runs.
 */
export interface HostingAdapterOptions extends AdapterOptions {
  /** Names of tools that may run without a verdict. Any other tool that cannot be governed is refused. */
  readonly ungoverned?: readonly string[] | undefined;
}

/** The same, checked and complete. */
export interface CheckedOptions {
  readonly agentId: string;
  readonly sessionId: (context: unknown) => string | undefined;
  readonly namespace: string | undefined;
  readonly names: ReadonlyMap<string, string>;
  readonly client: SvcClient;
  readonly onPause: (approval: PendingApproval) => void;
  readonly ungoverned: ReadonlySet<string>;
}

const NAMES = ["agentId", "sessionId", "namespace", "names", "client", "onPause"];

/**
 * A misspelled option would be an option that is not in force, so that it is refused.
 * @throws TypeError that names the option, what was expected and what came.
 */
export function checkedOptions(given: HostingAdapterOptions, hosts: "hosts" | "runs all"): CheckedOptions {
  if (typeof given !== "object" || given === null)
    throw new TypeError(`options: expected an object such as { agentId: "shop-bot" }, found ${typeof given}`);
  const names = hosts === "hosts" ? [...NAMES, "ungoverned"] : NAMES;
  for (const name of Object.keys(given))
    if (!names.includes(name))
      throw new TypeError(`options: expected only ${names.join(", ")}, found ${foundValue(name)}`);
  const {
    agentId,
    sessionId,
    namespace,
    names: policyNames = {},
    client = defaultClient(),
    onPause = () => undefined,
    ungoverned = [],
  } = given;
  if (!SvcClient.isInstance(client))
    throw new TypeError(`client: expected an SvcClient of this package, found ${typeof client}`);
  if (typeof onPause !== "function")
    throw new TypeError(`onPause: expected a function, found ${foundValue(onPause)}`);
  if (!Array.isArray(ungoverned) || ungoverned.some((name) => typeof name !== "string"))
    throw new TypeError('ungoverned: expected a list of names of tools such as ["web_search"]');
  return {
    agentId: checkedName("agentId", agentId),
    sessionId: sessionOf(sessionId),
    namespace: namespace === undefined ? undefined : checkedName("namespace", namespace),
    names: new Map(Object.entries(policyNames).map(([tool, own]) => [tool, checkedName("names", own)])),
    client,
    onPause,
    ungoverned: new Set(ungoverned),
  };
}

function sessionOf(given: AdapterOptions["sessionId"]): CheckedOptions["sessionId"] {
  if (typeof given === "function") return given;
  const fixed = given === undefined ? undefined : checkedName("sessionId", given);
  return () => fixed;
}

function checkedName(option: string, value: unknown): string {
  if (typeof value === "string" && isName(value)) return value;
  throw new TypeError(`${option}: ${refusedName(value)}`);
}

/** @throws TypeError for a tool that runs where no adapter sees it. */
export function refuseUngoverned(
  { ungoverned }: Pick<CheckedOptions, "ungoverned">,
  name: string,
  why: string,
): void {
  if (ungoverned.has(name)) return;
  throw new TypeError(
    `${name} cannot be governed: ${why}. Leave it out, or name it in ungoverned: [${JSON.stringify(name)}]`,
  );
}
