import { VERSION } from "@svc/process/version";

/** What `svc-cli version` prints for people. */
export function versionLine(): string {
  return `svc-cli ${VERSION} (Node ${process.versions.node})\n`;
}
