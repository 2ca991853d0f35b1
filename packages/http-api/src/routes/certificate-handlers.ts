import type { certificateRoutes } from "@svc/api/certificate-routes";
import type { ContainmentCertificate } from "@svc/contract/containment-certificate";
import { issueCertificate } from "@svc/control-plane/issue-certificate";
import type { Handlers } from "./handler.ts";

export interface CertificateHandlersParts {
  /** @returns the signed note */
  readonly signCertificate: (certificate: ContainmentCertificate) => string;
}

export function certificateHandlers({
  signCertificate,
}: CertificateHandlersParts): Handlers<typeof certificateRoutes> {
  return {
    getKillSwitchCertificate: async ({ params }, { ports, principal }) => {
      const outcome = await issueCertificate(ports, principal, params.kill_switch_id);
      if (outcome.kind === "problem") return outcome;
      const text = signCertificate(outcome.certificate);
      return { kind: "text", status: 200, mediaType: "text/plain; charset=utf-8", text };
    },
  };
}
