import { z } from "zod";
import { SEVERITIES } from "./severity.ts";

export const severitySchema = z.enum(SEVERITIES).meta({ id: "Severity" });
