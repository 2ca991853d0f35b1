import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { OutboundDialer, OutboundDialerParts } from "@svc/outbound/outbound-dialer";
import type { Logger } from "@svc/process/logger";
import type { OutboundSettings } from "../settings/settings.ts";

/** The one way by which the server calls what it is given the address of. */
export interface Outbound
  extends Pick<OutboundDialer, "send" | "judge" | "connect" | "secureContext" | "close"> {
  /** What a dialer on another thread is made of. */
  readonly dialing: Omit<OutboundDialerParts, "resolve">;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads the authorities now, and loads the dialer with its HTTP client when the first request is sent: most
 * servers send none. @throws naming the file that cannot be read
 */
export function openOutbound(
  { allow, allowPrivate, caFile }: OutboundSettings,
  log: Pick<Logger, "warn">,
): Outbound {
  const authorities = caFile === null ? [] : readAuthorities(caFile);
  if (allowPrivate)
    log.warn(
      { variable: "SVC_WEBHOOK_ALLOW_PRIVATE" },
      "every private address may be called, by everybody who may name a destination. Leave the variable " +
        "out, and name your own hosts in SVC_OUTBOUND_ALLOW",
    );
  const dialing = { rules: { allow, allowPrivate }, authorities };
  let opening: Promise<OutboundDialer> | null = null;
  const open = async (): Promise<OutboundDialer> => {
    const { OutboundDialer } = await import("@svc/outbound/outbound-dialer");
    return new OutboundDialer(dialing);
  };
  return {
    dialing,
    send: async (request) => (await (opening ??= open())).send(request),
    judge: async (url, unknownHosts) => (await (opening ??= open())).judge(url, unknownHosts),
    connect: async (connection) => (await (opening ??= open())).connect(connection),
    secureContext: async () => (await (opening ??= open())).secureContext(),
    close: async () => {
      const opened = opening;
      opening = null;
      await (await opened)?.close();
    },
  };
}

function readAuthorities(path: string): readonly string[] {
  try {
    const certificates = readFileSync(path, "utf8").match(CERTIFICATE) ?? [];
    if (certificates.length === 0) throw new Error("it holds no certificate");
    for (const certificate of certificates) new X509Certificate(certificate);
    return certificates;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `SVC_OUTBOUND_CA_FILE ${JSON.stringify(path)}: expected a PEM file of certificates, found: ${why}`,
      { cause: error },
    );
  }
}
