import { guardrailRoutes } from "@svc/api/guardrail-routes";
import { detect, type Finding } from "@svc/engine/detect";
import { DETECTOR_NAMES, type DetectorName } from "@svc/engine/detector";
import { GUARDRAIL_PREFIX, type Guardrail } from "@svc/engine/guardrail";
import { tryGuardrail } from "@svc/engine/try-guardrail";
import { nearestName } from "@svc/text/nearest-name";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import { STDIN } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";
import { guardrailsBeside } from "../policy-files/guardrail-file.ts";

/** What looks into texts, and what it is called. */
export interface Finder {
  readonly names: readonly string[];
  /** By place. @throws CommandFailure for a text that cannot be searched as a whole */
  find(text: string): Promise<readonly Finding<string>[]>;
}

export interface FinderOptions extends ServerOptions {
  readonly detectors?: string;
  readonly guardrail?: string;
}

/** @throws CommandFailure `usage` for a name that nothing has */
export async function finderOf(options: FinderOptions, terminal: Terminal): Promise<Finder> {
  const { detectors, guardrail } = options;
  if (guardrail === undefined) return localFinder(detectors, terminal);
  if (detectors !== undefined)
    throw new CommandFailure(
      "usage",
      "--guardrail and --detectors exclude each other: leave one of them out",
    );
  const client = new ControlClient(await resolveConnection(options, terminal));
  const params = { guardrail_id: guardrail };
  return {
    names: [`${GUARDRAIL_PREFIX}${guardrail}`],
    find: async (text) => {
      const { body } = await client.ask(guardrailRoutes.testGuardrail, { params, body: { text } });
      if (!body.complete) throw new CommandFailure("failed", TOO_LONG);
      return body.findings.filter(({ allowed }) => !allowed);
    },
  };
}

const TOO_LONG =
  "the text needs more work than one call may take: rules that restrict take it as found. Try a shorter one";

async function localFinder(list: string | undefined, terminal: Terminal): Promise<Finder> {
  if (list === undefined)
    return { names: DETECTOR_NAMES, find: async (text) => detect(text, DETECTOR_NAMES) };
  const names = list.split(",");
  const known = names.some((name) => name.startsWith(GUARDRAIL_PREFIX))
    ? await guardrailsBeside(STDIN, terminal)
    : [];
  const guardrails = new Map(known.map((one) => [`${GUARDRAIL_PREFIX}${one.id}`, one]));
  const chosen = names.map((name) => guardrails.get(name) ?? builtInOf(name, [...guardrails.keys()]));
  const builtIn = chosen.filter((one): one is DetectorName => typeof one === "string");
  const own = chosen.filter((one): one is Guardrail => typeof one !== "string");
  const find = async (text: string): Promise<readonly Finding<string>[]> =>
    [...detect(text, builtIn), ...own.flatMap((one) => triedIn(text, one))].toSorted(
      (left, right) => left.start - right.start || right.end - left.end,
    );
  return { names, find };
}

function triedIn(text: string, guardrail: Guardrail): readonly Finding<string>[] {
  const { complete, findings } = tryGuardrail(guardrail, text);
  if (!complete) throw new CommandFailure("failed", TOO_LONG);
  return findings.filter(({ allowed }) => !allowed);
}

function builtInOf(text: string, guardrails: readonly string[]): DetectorName {
  const name = DETECTOR_NAMES.find((known) => known === text);
  if (name !== undefined) return name;
  const nearest = nearestName(text, [...DETECTOR_NAMES, ...guardrails]);
  const hint = nearest === null ? "see svc-cli guardrails detectors" : `did you mean ${nearest}?`;
  throw new CommandFailure("usage", `--detectors: no detector ${JSON.stringify(text)}: ${hint}`);
}
