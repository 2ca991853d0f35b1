import { ServerCredentials } from "@grpc/grpc-js";
import type { TlsFiles } from "@svc/http-edge/tls/tls-files";

/**
 * Credentials of a gRPC server whose certificates can be replaced while it serves. Existing connections do
 * not change. When client authorities are set, a connection without a certificate of theirs is refused.
 */
export class RenewableCredentials extends ServerCredentials {
  constructor(files: TlsFiles) {
    const isMutual = files.ca !== null;
    super({ requestCert: isMutual, rejectUnauthorized: isMutual }, contextOf(files));
  }

  renew(files: TlsFiles): void {
    this.updateSecureContextOptions(contextOf(files));
  }

  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}

function contextOf({ cert, key, ca }: TlsFiles): { cert: Buffer; key: Buffer; ca?: Buffer } {
  return ca === null ? { cert, key } : { cert, key, ca };
}
