import { detect, replaceDetected } from "@svc/engine/detect";
import { DETECTOR_NAMES, type DetectorName } from "@svc/engine/detector";
import { maskSecrets } from "@svc/engine/mask-secrets";
import { canonicalJson } from "@svc/text/canonical-json";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { atMost, figure } from "../figure.ts";
import type { Scenario } from "../scenario.ts";
import { takeTurns } from "../take-turns.ts";

/** What one detector may take for the longest text, in milliseconds: nothing else runs meanwhile. */
const TARGET_MS = 50;

/** Untimed searches first, as count: the server's code is warm as well. */
const WARM_UP = 3;

/** The piece that hurts each detector most when it fills the text, of all that were tried. */
const WORST_PIECES: { readonly [name in DetectorName]: string } = {
  "pii.email": "a@b.cd ",
  "pii.phone": "+1234567",
  "pii.credit_card": "5 ",
  "pii.iban": "de12 ",
  "pii.us_ssn": "078-05-1120 ",
  "secret.aws_key": "AKIAIOSFODNN7EXAMPLE ",
  "secret.github_token": "ghp_",
  "secret.private_key": "-----BEGIN ",
  "secret.jwt": ".eyJ",
  "secret.generic_api_key": "sk-a1b2c3d4e5f6a7b8c9d0 ",
  "secret.url_password": "://u:p@",
  "secret.connection_string": ";pwd=a",
};

export const detectors: Scenario = {
  name: "detectors",
  title: "Detectors on 256 KiB of their worst text",
  run: async ({ rounds }) => {
    const works = DETECTOR_NAMES.map((name) => {
      const text = textOf(WORST_PIECES[name]);
      return { name, targetMs: TARGET_MS, work: (): unknown => detect(text, [name]) };
    });
    const sides = [...works, ...combinedWorks()];
    for (const { work } of sides) for (let at = 0; at < WARM_UP; at += 1) work();
    const results = await takeTurns(
      rounds,
      sides.map(
        ({ work }) =>
          () =>
            Promise.resolve(timeMs(work)),
      ),
    );
    return {
      kind: "measured",
      figures: sides.map(({ name, targetMs }, at) =>
        figure(name, "ms", results[at] ?? [], targetMs === null ? null : atMost(targetMs)),
      ),
      notes: ["each text repeats the one piece that slows its detector most"],
    };
  },
};

interface TimedWork {
  readonly name: string;
  readonly targetMs: number | null;
  readonly work: () => unknown;
}

function combinedWorks(): readonly TimedWork[] {
  const mixed = textOf(Object.values(WORST_PIECES).join(" "));
  const row = { text: textOf(WORST_PIECES["secret.generic_api_key"]) };
  const canonicalRow = canonicalJson(row);
  return [
    {
      name: "all ten replace in one text of all pieces",
      targetMs: null,
      work: () => replaceDetected(mixed, DETECTOR_NAMES, "[x]"),
    },
    { name: "masking of an audit row", targetMs: TARGET_MS, work: () => maskSecrets(row, canonicalRow) },
  ];
}

/** In one block of memory, as a request's texts are. */
function textOf(piece: string): string {
  return Buffer.from(piece.repeat(Math.ceil(MAX_BODY_BYTES / piece.length)))
    .subarray(0, MAX_BODY_BYTES)
    .toString();
}

function timeMs(work: () => unknown): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}
