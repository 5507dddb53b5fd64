import * as z from "zod";
import { REASON_MAX, REASON_REQUIRED } from "./copy";

/** Reads why somebody does something; the audit keeps it. */
export const ReasonField = z
  .string()
  .trim()
  .min(1, REASON_REQUIRED)
  .max(REASON_MAX, `A reason can have at most ${REASON_MAX} characters`);
