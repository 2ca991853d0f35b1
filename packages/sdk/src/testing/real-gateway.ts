import { clientSettings } from "../client-settings.ts";
import type { InProcessRequest } from "../in-process-gateway.ts";
import { PolicyGatewayError } from "./policy-gateway-error.ts";

/** Why this process asks a real gateway, which must never be answered for; null where nothing says so. */
export function realGatewayOfProcess(): string | null {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  const env = process?.env ?? {};
  if (env["SVC_URL"])
    return (
      "SVC_URL is set, so this process asks a real gateway, and a test gateway would answer in its place. " +
      "Unset SVC_URL in tests: delete process.env.SVC_URL"
    );
  if (env["NODE_ENV"] === "production")
    return "NODE_ENV is production: a test gateway judges calls of tests alone";
  return null;
}

/** Why this client may be meant for a real gateway; null where it is not. */
export function realGatewayOf(
  { baseUrl, hasKey }: InProcessRequest,
  addresses: ReadonlySet<string>,
): string | null {
  if (!hasKey || addresses.has(baseUrl)) return null;
  return (
    `A PolicyGateway is open, and this client has an API key for ${baseUrl}, which may be a real gateway. ` +
    "Make the client without a key, or name the address in addresses of the PolicyGateway"
  );
}

/** Addresses as clients have them. @throws PolicyGatewayError for what is not an address */
export function addressesOf(addresses: readonly string[]): ReadonlySet<string> {
  try {
    return new Set(addresses.map((baseUrl) => clientSettings({ baseUrl }, {}).baseUrl));
  } catch (error) {
    throw new PolicyGatewayError(`addresses: ${error instanceof Error ? error.message : "not an address"}`);
  }
}
