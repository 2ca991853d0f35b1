import { tmpdir } from "node:os";
import { parseArgs } from "node:util";

export const USAGE = `usage: npm run bench -- [options]
  --only <names>      scenarios, separated by commas (all)
  --rounds <n>        how often the sides take turns, 1 to 100 (5)
  --seconds <n>       length of one turn under load, 1 to 600 (5)
  --rows <n>          rows of the logs that questions are asked of, 1000 to 100000000 (1000000)
  --data <folder>     where databases go: a real disk (the system's temporary folder)
  --profile <folder>  let server processes write CPU profiles there
  -o, --output <form> table or json (table)
`;

export interface Options {
  /** Scenario names in the order in which they run. */
  readonly only: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly rows: number;
  readonly dataFolder: string;
  readonly profileFolder: string | null;
  readonly output: "table" | "json";
}

/** @throws Error saying which option was expected to be what. */
export function parseOptions(args: readonly string[], scenarioNames: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string", default: scenarioNames.join(",") },
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "5" },
      rows: { type: "string", default: "1000000" },
      data: { type: "string", default: tmpdir() },
      profile: { type: "string" },
      output: { type: "string", short: "o", default: "table" },
    },
  });
  const { output } = values;
  if (output !== "table" && output !== "json")
    throw new Error(`--output: expected table or json, found ${output}`);
  const only = values.only.split(",");
  const unknown = only.find((name) => !scenarioNames.includes(name));
  if (unknown !== undefined) {
    throw new Error(`--only: expected some of ${scenarioNames.join(", ")}, found ${JSON.stringify(unknown)}`);
  }
  return {
    only,
    rounds: wholeNumber("--rounds", values.rounds, 100),
    seconds: wholeNumber("--seconds", values.seconds, 600),
    rows: rowCount(values.rows),
    dataFolder: values.data,
    profileFolder: values.profile ?? null,
    output,
  };
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most)
    throw new Error(`${name}: expected 1 to ${most}, found ${JSON.stringify(text)}`);
  return value;
}

/** Fewer rows would measure an empty index. More do not fit on the disks of the machines that run this. */
function rowCount(text: string): number {
  const value = /^[1-9][0-9]{3,8}$/.test(text) ? Number(text) : 0;
  if (value < 1_000 || value > 100_000_000)
    throw new Error(`--rows: expected 1000 to 100000000, found ${JSON.stringify(text)}`);
  return value;
}
