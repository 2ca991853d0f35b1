// long: it kills servers and starts them again
import { describe } from "vitest";
import { temporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { deliveriesSuite } from "./deliveries.suite.ts";

describe("SQLite", () => {
  deliveriesSuite(async () => {
    const options = { dataDir: await temporaryDirectory() };
    return { before: options, after: options };
  });
});
