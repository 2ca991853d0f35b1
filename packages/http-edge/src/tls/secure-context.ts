import { constants } from "node:crypto";

/** Texts in PEM. */
export interface CertificateTexts {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Authorities of client certificates; null when clients need none. */
  readonly ca: Buffer | null;
}

/** What a server offers and accepts in its handshakes. */
export function secureContextOf({ cert, key, ca }: CertificateTexts) {
  // A client could ask for one costly handshake after another on a single connection.
  const always = constants.SSL_OP_NO_RENEGOTIATION;
  const common = { cert, key, minVersion: "TLSv1.2" } as const;
  if (ca === null) return { ...common, secureOptions: always };
  // A session that is resumed proves its client with a certificate that may have expired since. Without
  // tickets there is none: Node keeps no sessions itself.
  return { ...common, ca, secureOptions: always | constants.SSL_OP_NO_TICKET };
}
