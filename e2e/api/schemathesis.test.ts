// peers: schemathesis
// long: it sends generated requests for half a minute
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isLongRun, runs } from "@svc/text/testing/runs";
import { describe, expect, it } from "vitest";
import { missing } from "../support/processes/missing-peers.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { serverOfTest } from "../support/server/server-process.ts";

/** Longest run in milliseconds. It ends itself after MAX_SECONDS and the examples. */
const TIMEOUT_MS = runs(240_000, 1_200_000);

/** Seconds that the generated phases may take. */
const MAX_SECONDS = runs(25, 600);

/**
 * Checks of the peer that do not fit everywhere. Rules that hold between fields are not in a schema, so a
 * request that keeps the schema may be refused. A switch that ended and a key that was revoked stay readable.
 * Any status of 400 to 499 rejects a malformed request. A validation answers 200 to every document, with what
 * is wrong; the contract test sends malformed requests. The description shows amounts of USD as text, and the
 * service goes on to take numbers.
 */
const CONFIGURATION = `
[checks]
positive_data_acceptance.enabled = false
use_after_free.enabled = false
negative_data_rejection.expected-statuses = ["4xx"]

[[operations]]
include-path = "/policies/validate"
checks.negative_data_rejection.enabled = false

[[operations]]
include-path-regex = "^/gateway/(execute|outcome)$"
checks.negative_data_rejection.enabled = false
`;

const KEY = `svc_operator1_${"Zx9".repeat(20)}`;

// proves OAS-06
// skip: the peer is not installed; continuous integration has it and fails without.
describe.skipIf(missing.schemathesis)("requests generated from the description", () => {
  it("find no fault of the server and no answer that it does not describe", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const env = { SVC_AUTH: "on", SVC_BOOTSTRAP_API_KEY: KEY };
    const { url, lines } = await serverOfTest({ env });
    // The peer writes its cache to the folder that it runs in.
    const cwd = await temporaryDirectory();
    // Paths of these have no prefix, and the peer sends everything below one. A stream of events never ends.
    const notBelow = "--exclude-tag Operation --exclude-tag Events --exclude-path-regex ^/docs";
    const kept = `--warnings off --no-color --max-time ${String(MAX_SECONDS)}${isLongRun ? "" : " --seed 1"}`;
    const options = `--continue-on-failure ${kept} ${notBelow}`.split(" ");
    await writeFile(join(cwd, "schemathesis.toml"), CONFIGURATION);
    const start = ["-m", "schemathesis.cli", "run"];
    const header = ["--header", `Authorization: Bearer ${KEY}`];
    const args = [...start, `${url}/api/v1/openapi.yaml`, ...header, ...options];
    const { exitCode, stdout } = await runProgram(
      "python3",
      args,
      {
        PYTHONPATH: `${programOf("schemathesis")}:${import.meta.dirname}`,
        SCHEMATHESIS_HOOKS: "unique_keys",
      },
      { cwd },
    );
    expect({ exitCode, report: exitCode === 0 ? "" : stdout }).toEqual({ exitCode: 0, report: "" });
    const count = /([\d,]+) generated/.exec(stdout)?.[1] ?? "";
    // A quiet machine sends thousands.
    expect(Number(count.replaceAll(",", ""))).toBeGreaterThan(100);
    expect(lines.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});
