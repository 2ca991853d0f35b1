import { once } from "node:events";
import { connect } from "node:net";
import { changeContexts, readContexts } from "../connection/context-file.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { DevAddresses } from "./dev-server.ts";

type Surroundings = Pick<Terminal, "environment">;

/** The context by which other commands find the server of `svc-cli dev` while it runs. */
export interface DevContext {
  /** Whether commands that name no server use it. */
  readonly isCurrent: boolean;
  /** Takes the context away again. */
  remove(): Promise<void>;
}

/** @throws CommandFailure `usage` when the name is taken by what did not end with its `svc-cli dev` */
export async function requireFreeName(name: string, terminal: Surroundings): Promise<void> {
  const { contexts } = readContexts(terminal);
  const found = contexts[name];
  if (found === undefined) return;
  const other = "Choose another name with --name";
  if (found.temporary !== true)
    throw new CommandFailure("usage", `you have a context ${name}, of ${found.url}. ${other}`);
  // One that was killed has left its context.
  if (await isListening(new URL(found.url)))
    throw new CommandFailure(
      "usage",
      `the context ${name} is that of a svc-cli dev at ${found.url}. ${other}`,
    );
}

async function isListening({ hostname, port }: URL): Promise<boolean> {
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** The context of the person who approves, beside that of the run. */
export function approverName(name: string): string {
  return `${name}-approver`;
}

/** What the contexts of a run name. */
type DevKeys = Pick<DevAddresses, "url" | "api_key_file" | "mcp_proxy_url" | "checkgw_url"> & {
  readonly approver_key_file: string;
};

/** Becomes the current context where there is none, so that no command leaves the server that it asks. */
export async function addDevContext(
  name: string,
  { url, api_key_file, approver_key_file, mcp_proxy_url, checkgw_url }: DevKeys,
  terminal: Surroundings,
): Promise<DevContext> {
  const seams = {
    forward_auth: checkgw_url,
    guardrail: checkgw_url,
    ...(mcp_proxy_url === null ? {} : { mcp: mcp_proxy_url }),
  };
  const context = { url, api_key_file, seams, temporary: true } as const;
  const approver = { url, api_key_file: approver_key_file, temporary: true } as const;
  const isCurrent = await changeContexts(terminal, ({ current, contexts }) => {
    const value = current === null || current === name;
    return {
      contexts: {
        current: value ? name : current,
        contexts: { ...contexts, [name]: context, [approverName(name)]: approver },
      },
      value,
    };
  });
  const remove = async (): Promise<void> => {
    for (const one of [name, approverName(name)]) await removeContext(one, url, terminal);
  };
  return { isCurrent, remove };
}

async function removeContext(name: string, url: string, terminal: Surroundings): Promise<void> {
  await changeContexts(terminal, ({ current, contexts }) => {
    const { [name]: own, ...others } = contexts;
    // Another one may have the name by now.
    if (own?.temporary !== true || own.url !== url) return { contexts: null, value: undefined };
    const left = { current: current === name ? null : current, contexts: others };
    return { contexts: left, value: undefined };
  });
}
