import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { issueCertificate } from "@svc/process/testing/certificates";
import { onTestFinished } from "vitest";
import { startProcess } from "../processes/child-process.ts";
import { programOf } from "../processes/peer-programs.ts";
import { type Json, linesOf } from "./integration-receivers.ts";

export interface Rsyslog {
  readonly port: number;
  /** The file of the authority that its certificate is from. */
  readonly authority: string;
  /** The texts of all messages without their marks of UTF-8, which are JSON. */
  messages(): readonly Json[];
}

/** Starts rsyslog with syslog over TLS on 127.0.0.1. */
export async function startRsyslog(folder: string): Promise<Rsyslog> {
  const authority = issueCertificate(folder, {
    name: "authority",
    names: "DNS:authority",
    isAuthority: true,
  });
  const { certificate, key } = issueCertificate(folder, {
    name: "rsyslog",
    names: "IP:127.0.0.1",
    by: authority,
  });
  const port = await findFreePort();
  const out = join(folder, "messages.ndjson");
  const file = join(folder, "rsyslog.conf");
  const configuration = [
    `global(workDirectory="${folder}" defaultNetstreamDriver="ossl" maxMessageSize="256k"`,
    `  defaultNetstreamDriverCAFile="${authority.certificate}"`,
    `  defaultNetstreamDriverCertFile="${certificate}" defaultNetstreamDriverKeyFile="${key}")`,
    'module(load="imtcp" StreamDriver.Name="ossl" StreamDriver.Mode="1" StreamDriver.AuthMode="anon")',
    'template(name="text" type="string" string="%msg%\\n")',
    `input(type="imtcp" port="${String(port)}" address="127.0.0.1" ruleset="all")`,
    `ruleset(name="all") { action(type="omfile" file="${out}" template="text") }`,
  ];
  await writeFile(file, `${configuration.join("\n")}\n`);
  const args = ["-n", "-f", file, "-i", join(folder, "rsyslog.pid")];
  const running = await startProcess(programOf("rsyslog"), args, { ready: { port } });
  onTestFinished(async () => void (await running.stop("SIGKILL")));
  return {
    port,
    authority: authority.certificate,
    messages: () => (existsSync(out) ? linesOf(readFileSync(out, "utf8").replaceAll("\ufeff", "")) : []),
  };
}
