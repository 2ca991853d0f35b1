import { ServerCredentials } from "@grpc/grpc-js";
import { secureContextOf } from "@svc/http-edge/tls/secure-context";
import type { TlsFiles } from "@svc/http-edge/tls/tls-files";

/**
 * Credentials of a gRPC server whose certificates can be replaced while it serves. Existing connections do
 * not change. When client authorities are set, a connection without a certificate of theirs is refused.
 */
export class RenewableCredentials extends ServerCredentials {
  constructor(files: TlsFiles) {
    const isMutual = files.ca !== null;
    super({ requestCert: isMutual, rejectUnauthorized: isMutual }, secureContextOf(files));
  }

  renew(files: TlsFiles): void {
    this.updateSecureContextOptions(secureContextOf(files));
  }

  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}
