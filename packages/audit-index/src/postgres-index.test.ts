// peers: postgres
import { openPostgresStore } from "@svc/store/open-postgres-store";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { auditIndexContract } from "./testing/audit-index.suite.ts";

describePostgres("the audit index in PostgreSQL", (server) => {
  auditIndexContract(async () => {
    const url = await server().createDatabase();
    const store = await openPostgresStore({ url, logId: "gateway-1" });
    return { store, place: { kind: "postgres", url } };
  });
});
