import { z } from "zod";
import { ANOMALIES } from "./anomaly.ts";

export const anomalySchema = z.enum(ANOMALIES).meta({ id: "Anomaly" });
