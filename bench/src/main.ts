// npm run bench: measures the product beside a baseline, in turns, and prints ratios with their spread.
// No figure fails the run: machines are noisy. Only a scenario that cannot be carried out does.
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { Cleanup } from "./cleanup.ts";
import { findGenerator } from "./load/find-generator.ts";
import type { LoadGenerator } from "./load/load-generator.ts";
import { describeMachine } from "./machine.ts";
import { type Options, parseOptions, USAGE } from "./options.ts";
import { renderJson } from "./render-json.ts";
import { renderProfiles } from "./render-profiles.ts";
import { renderTable } from "./render-table.ts";
import type { ScenarioReport } from "./report.ts";
import type { Scenario } from "./scenario.ts";
import { allScenarios } from "./scenarios/all-scenarios.ts";

/** Exit code of a process that was interrupted: 128 and the number of SIGINT. */
const EXIT_INTERRUPTED = 130;

const options = optionsOrExit();
const machine = await describeMachine(options.dataFolder);
const generator = findGenerator();
if (options.profileFolder !== null) await mkdir(options.profileFolder, { recursive: true });
const chosen = options.only.flatMap((name) => allScenarios.filter((scenario) => scenario.name === name));
const scenarios: ScenarioReport[] = [];
for (const scenario of chosen) scenarios.push(await run(scenario, generator));
const report = {
  date: new Date().toISOString().slice(0, 10),
  machine,
  rounds: options.rounds,
  seconds: options.seconds,
  loadGenerator: generator.name,
  scenarios,
};
process.stdout.write(options.output === "json" ? renderJson(report) : renderTable(report));
if (options.profileFolder !== null) process.stderr.write(await renderProfiles(options.profileFolder));

async function run(scenario: Scenario, load: LoadGenerator): Promise<ScenarioReport> {
  const { name, title } = scenario;
  const { rounds, seconds, rows, dataFolder, profileFolder } = options;
  const cleanup = new Cleanup();
  const interrupted = (): void => {
    const leave = (): never => process.exit(EXIT_INTERRUPTED);
    cleanup.run().then(leave, leave);
  };
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  say(`${name} ...`);
  try {
    const profile = profileFolder === null ? null : resolve(profileFolder, name);
    const bench = {
      rounds,
      seconds,
      rows,
      generator: load,
      dataFolder,
      profileFolder: profile,
      cleanup,
      say,
    };
    return { name, title, findings: await scenario.run(bench) };
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    await cleanup.run();
  }
}

/** Progress goes where it does not mix with the report. */
function say(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}

function optionsOrExit(): Options {
  try {
    return parseOptions(
      process.argv.slice(2),
      allScenarios.map(({ name }) => name),
    );
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return process.exit(2);
  }
}
