import type { EnvironmentVariable } from "@svc/process/environment-table";
import { parseText } from "@svc/process/parsers";

type Suffix = "CERT_FILE" | "KEY_FILE" | "CLIENT_CA_FILE";

/** The variables that name the TLS files of a listener. */
export type TlsTable<Prefix extends string> = {
  readonly [Name in `${Prefix}_${Suffix}`]: EnvironmentVariable<string | null>;
};

/** The values of these variables. */
export type TlsValues<Prefix extends string> = {
  readonly [Name in `${Prefix}_${Suffix}`]: string | null;
};

/**
 * @param prefix of the names, such as `SVC_MCP_TLS`
 * @param clients whose certificates are asked for
 */
export function tlsVariables<const Prefix extends string>(prefix: Prefix, clients: string): TlsTable<Prefix> {
  const path = {
    parse: (text: string): string | null => parseText(text),
    fallback: null,
    defaultText: "none",
  };
  const table: Record<`${string}_${Suffix}`, EnvironmentVariable<string | null>> = {
    [`${prefix}_CERT_FILE` as const]: {
      ...path,
      meaning:
        "PEM file of the server certificate, followed by its chain; by default the listener is plaintext",
    },
    [`${prefix}_KEY_FILE` as const]: { ...path, meaning: "PEM file of the certificate's key" },
    [`${prefix}_CLIENT_CA_FILE` as const]: {
      ...path,
      meaning: `PEM file of the authorities, one of which must have signed the certificate of ${clients}`,
    },
  };
  return table;
}
