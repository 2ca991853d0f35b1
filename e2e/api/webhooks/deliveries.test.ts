// long: it kills servers and starts them again
import { describe } from "vitest";
import { sharedDirectory } from "../../support/server/shared-store.ts";
import { deliveriesSuite } from "./deliveries.suite.ts";

describe("SQLite", () => {
  deliveriesSuite(sharedDirectory);
});
