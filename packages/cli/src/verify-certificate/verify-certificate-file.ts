import { type CertificateVerdict, verifyCertificate } from "@svc/audit-log/certificate";
import type { VerifierKey } from "@svc/audit-log/note-key";
import { noKeyFits } from "../audit-verify/no-key-fits.ts";
import { readPinnedKeys } from "../audit-verify/trusted-keys.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions, type Result } from "../frame/output.ts";
import { readFault } from "../frame/read-fault.ts";
import { openInput } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";
import { certificateLines } from "./certificate-lines.ts";

export interface VerifyCertificateOptions extends OutputOptions {
  readonly publicKey?: string;
}

/** Largest file in bytes: a certificate of the greatest length in UTF-8. */
const MAX_FILE_BYTES = 3 * 1024 * 1024;

/** Verifies a certificate that a server signed. @throws CommandFailure */
export async function verifyCertificateFile(
  file: string,
  options: VerifyCertificateOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { publicKey } = options;
  if (publicKey === undefined)
    throw new CommandFailure(
      "usage",
      "verify-certificate needs --public-key, because a certificate cannot prove that its own key is right",
    );
  const keys = await readPinnedKeys(publicKey, terminal);
  const verdict = verifyCertificate(await readFile(file, terminal), keys);
  const { outcome, ...result } = resultOf(verdict, keys);
  new Output(terminal, options).result(result);
  return outcome;
}

async function readFile(path: string, terminal: Terminal): Promise<string> {
  const bytes = await readBytes(path, terminal);
  if (bytes.includes("\r\n"))
    throw unreadable(path, "line endings were changed: expected LF, found CR LF; copy it again");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw unreadable(path, "expected UTF-8; copy it again", error);
  }
}

async function readBytes(path: string, terminal: Terminal): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of openInput(path, terminal)) {
      length += chunk.length;
      if (length > MAX_FILE_BYTES)
        throw unreadable(path, `expected at most ${String(MAX_FILE_BYTES)} bytes, found more`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure("usage", `${path} cannot be read: ${readFault(error)}`, error);
  }
  return Buffer.concat(chunks);
}

function unreadable(path: string, why: string, cause?: unknown): CommandFailure {
  return new CommandFailure("unreachable", `nothing is verified: ${path}: ${why}`, cause);
}

const SCHEMA = "svc.cli.verify-certificate/v1";

const OUTCOMES = { contained: "ok", not_yet_contained: "unproven", ended: "unproven" } as const;

function resultOf(
  verdict: CertificateVerdict,
  keys: readonly VerifierKey[],
): Result & { readonly outcome: Outcome } {
  switch (verdict.kind) {
    case "valid": {
      const { certificate } = verdict;
      const { containment } = certificate;
      return {
        outcome: OUTCOMES[containment],
        text: `${certificateLines(certificate).join("\n")}\n`,
        schema: SCHEMA,
        json: { verdict: containment, certificate },
      };
    }
    case "malformed":
      throw new CommandFailure(
        "unreachable",
        `nothing is verified: this is not a certificate: ${verdict.why}`,
      );
    case "contradictory":
      return refused(`a given key has signed it, but no server writes this: ${verdict.why}`);
    case "unknown_key": {
      const why = noKeyFits("none of the given keys signed it", keys, verdict.neededKeys);
      return {
        outcome: "unproven",
        text: `cannot be judged: ${why}\n`,
        schema: SCHEMA,
        json: { verdict: "not_judged", needed_keys: verdict.neededKeys, certificate: null },
      };
    }
    case "bad_signature":
      return refused("it was changed: its signature does not match its text");
  }
}

function refused(why: string): Result & { readonly outcome: Outcome } {
  return {
    outcome: "failed",
    text: `broken: ${why}\n`,
    schema: SCHEMA,
    json: { verdict: "broken", why, certificate: null },
  };
}
