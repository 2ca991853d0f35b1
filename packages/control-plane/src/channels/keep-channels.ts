import type { NotifyChannel } from "@svc/contract/channel-kinds";
import { type ChannelTarget, shownTarget } from "@svc/contract/channel-target";
import type { NotifyChannelRequest } from "@svc/contract/notify-channel";
import type { Principal } from "@svc/contract/principal";
import { callStore, NOT_READ } from "../call-store.ts";
import { type Outcome, refuse } from "../refusal.ts";
import type { ChannelPorts } from "./channel-ports.ts";
import { removeChannel } from "./channels.ts";
import { beginWhereUnused, putChannel } from "./put-channel.ts";

/** Hexadecimal digits in the id of a channel that an entry made: enough that no two have the same. */
const ID_LENGTH = 24;

/**
 * Makes what is kept of the entries of a request: a reference to a channel for each. An entry with an address
 * gets a channel of its own; the same address has the same one.
 * @param pointer where the list stands in the body
 */
export async function keepChannels(
  ports: ChannelPorts,
  principal: Principal,
  { entries, pointer }: { readonly entries: readonly NotifyChannelRequest[]; readonly pointer: string },
): Promise<Outcome<NotifyChannel[]>> {
  const kept = new Map<string, NotifyChannel>();
  for (const [index, entry] of entries.entries()) {
    const outcome =
      entry.kind === "channel"
        ? await referTo(ports, principal.org, entry.id)
        : await keepTarget(ports, principal, entry.target);
    if (outcome.kind === "problem") {
      const found = outcome.problem.errors?.map((each) => ({
        ...each,
        pointer: `${pointer}/${String(index)}${each.pointer}`,
      }));
      return found === undefined ? outcome : { ...outcome, problem: { ...outcome.problem, errors: found } };
    }
    kept.set(outcome.value.channel ?? "", outcome.value);
  }
  return { kind: "ok", value: [...kept.values()] };
}

/** Removes channels that entries made, and that no entry names any more. What fails stays, and is listed. */
export async function forgetChannels(
  ports: ChannelPorts,
  principal: Principal,
  { before, after }: Readonly<Record<"before" | "after", readonly NotifyChannel[]>>,
): Promise<void> {
  const kept = new Set(after.map(({ channel }) => channel));
  // A named channel is shown by its name alone.
  for (const { channel, ...target } of before)
    if (channel !== undefined && !kept.has(channel) && Object.keys(target).length > 0)
      await removeChannel(ports, principal, channel);
}

async function referTo(ports: ChannelPorts, org: string, id: string): Promise<Outcome<NotifyChannel>> {
  const found = await callStore(ports, NOT_READ, () => ports.notificationChannels.find(org, id));
  if (found.kind === "problem") return found;
  if (found.value !== null) {
    const begun = await beginWhereUnused(ports, org, found.value);
    if (begun !== null) return begun;
    const { named, kind, email } = found.value;
    return { kind: "ok", value: named ? { channel: id } : { ...shownTarget(kind, email), channel: id } };
  }
  const expected = "the id of a notification channel";
  const fix = "GET notification-channels lists them, and PUT notification-channels/{id} makes one";
  const name = JSON.stringify(id);
  const entry = { pointer: "/channel", expected, found: name, fix };
  return refuse("invalid_request", `This organization has no notification channel ${name}. ${fix}.`, [entry]);
}

async function keepTarget(
  ports: ChannelPorts,
  principal: Principal,
  target: ChannelTarget,
): Promise<Outcome<NotifyChannel>> {
  const { org } = principal;
  const text = target.kind === "email" ? target.addresses.join(" ") : target.address;
  const digest = ports.digest(`notification channel\n${JSON.stringify([org, target.kind, text])}`);
  const id = `auto-${digest.slice(-ID_LENGTH)}`;
  const found = await callStore(ports, NOT_READ, () => ports.notificationChannels.find(org, id));
  if (found.kind === "problem") return found;
  if (found.value !== null) {
    const begun = await beginWhereUnused(ports, org, found.value);
    if (begun !== null) return begun;
  }
  // It stays as it is, unless its receiver is to be tried again.
  if (found.value === null || found.value.disabled_at !== null) {
    const order = { id, target, description: null, secret: null, named: false, mustBeNew: false };
    const put = await putChannel(ports, principal, order);
    if (put.kind === "problem") return put;
  }
  const addresses = target.kind === "email" ? target.addresses : null;
  return { kind: "ok", value: { ...shownTarget(target.kind, addresses), channel: id } };
}
