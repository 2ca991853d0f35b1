import type { ControlPlanePorts } from "../ports.ts";

export type IntegrationPorts = Pick<
  ControlPlanePorts,
  | "clock"
  | "log"
  | "newId"
  | "integrations"
  | "integrationCourses"
  | "rows"
  | "sealedSecrets"
  | "destinations"
>;
