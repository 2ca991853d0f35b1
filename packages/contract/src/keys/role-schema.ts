import { z } from "zod";
import { ROLES } from "./role.ts";
import { SCOPES } from "./scope.ts";

export const roleSchema = z
  .enum(ROLES, { error: `expected one of ${ROLES.join(", ")}` })
  .meta({ id: "Role" });

export const scopeSchema = z.enum(SCOPES).meta({ id: "Scope" });
