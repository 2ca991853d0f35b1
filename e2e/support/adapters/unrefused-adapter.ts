import type { RunningProcess } from "../processes/child-process.ts";
import { keyInEnvironment } from "../server/role-keys.ts";

/** What an adapter logs, or repeats in a deny, when the gateway answered it with 403. */
const REFUSED = /\bstatus 403\b|"status":403\b/;

/** The key of an adapter, and how it is stopped. */
export interface AdapterRole {
  readonly variables: Readonly<Record<string, string>>;
  /** Makes `stop` fail when the gateway refused something that the adapter asked with its documented role. */
  watched<Adapter extends RunningProcess>(adapter: Adapter): Adapter;
}

/** A key of role `adapter`, unless the test brings one or `startServer` has not started the gateway. */
export async function adapterRole(
  gatewayUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<AdapterRole> {
  const variables = "SVC_API_KEY" in env ? {} : await keyInEnvironment("adapter", gatewayUrl);
  if (!("SVC_API_KEY" in variables)) return { variables, watched: (adapter) => adapter };
  return {
    variables,
    watched: (adapter) => ({
      ...adapter,
      stop: async (signal) => {
        const code = await adapter.stop(signal);
        const refused = adapter.lines.filter((line) => REFUSED.test(line));
        if (refused.length > 0) throw new Error(`the gateway refused an adapter: ${refused.join("\n")}`);
        return code;
      },
    }),
  };
}
