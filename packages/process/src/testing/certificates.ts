// peers: openssl
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";

/** In CI a chosen program that is missing is a failure. */
const isChosen = process.env["SVC_TEST_PEERS"]?.split(",").includes("openssl") ?? true;
export const mayMissOpenssl =
  !isChosen || (!process.env["CI"] && spawnSync("openssl", ["version"]).status !== 0);

/** Files of one certificate. */
export interface IssuedCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateOrder {
  readonly name: string;
  /** As in `subjectAltName`, such as `DNS:localhost,IP:127.0.0.1`. */
  readonly names: string;
  /** Left out: it signs itself. */
  readonly by?: IssuedCertificate;
  /** Whether it may sign others. */
  readonly isAuthority?: boolean;
  /** -1: it ended yesterday. */
  readonly days?: number;
}

/** Makes a key and a certificate in a folder. */
export function issueCertificate(folder: string, order: CertificateOrder): IssuedCertificate {
  const { name, names, by, days = 2, isAuthority = false } = order;
  const [certificate, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key];
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=${names}`];
  const signing = isAuthority ? ["-addext", "basicConstraints=critical,CA:TRUE"] : [];
  const request = join(folder, `${name}.csr`);
  openssl(["req", "-new", ...made, "-out", request, ...subject, ...signing]);
  const signer =
    by === undefined ? ["-key", key] : ["-CA", by.certificate, "-CAkey", by.key, "-CAcreateserial"];
  const signed = ["x509", "-req", "-in", request, ...signer, "-copy_extensions", "copyall"];
  openssl([...signed, "-days", String(days), "-out", certificate]);
  return { certificate, key };
}

function openssl(args: readonly string[]): void {
  execFileSync("openssl", args, { stdio: "pipe" });
}
