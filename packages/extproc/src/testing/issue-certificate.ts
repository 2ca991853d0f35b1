import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";

/** In CI a chosen program that is missing is a failure. */
const chosen = process.env["SVC_TEST_PEERS"]?.split(",").includes("openssl") ?? true;
export const mayMissOpenssl =
  !chosen || (!process.env["CI"] && spawnSync("openssl", ["version"]).status !== 0);

/** Writes a key and a certificate that an authority has signed, or itself: `<name>.key` and `<name>.crt`. */
export function issueCertificate(folder: string, name: string, authority: string | null): void {
  const at = (file: string): string => join(folder, file);
  const signed =
    authority === null
      ? ["-x509"]
      : ["-x509", "-CA", at(`${authority}.crt`), "-CAkey", at(`${authority}.key`)];
  const made = ["-keyout", at(`${name}.key`), "-out", at(`${name}.crt`)];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  execFileSync("openssl", ["req", ...signed, ...key, ...made, "-days", "2", "-subj", `/CN=${name}`], {
    stdio: "pipe",
  });
}
