// peers: postgres
// long: 250 interleavings take 30 seconds; SVC_TEST_INTERLEAVINGS=10000 runs 2,500
import { approvalInterleavingsOnPostgres } from "./testing/approval-interleavings-postgres.suite.ts";

approvalInterleavingsOnPostgres();
