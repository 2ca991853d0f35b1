// peers: postgres
// long: it kills servers and starts them again
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { sharedPostgres } from "../../support/server/shared-store.ts";
import { deliveriesSuite } from "./deliveries.suite.ts";

describePostgres("PostgreSQL", () => {
  deliveriesSuite(sharedPostgres);
});
