import type { Metrics, Share } from "./model";

/** It exceeds 100 % where older tickets were resolved. */
export const resolutionRate = ({ resolved, created }: Pick<Metrics, "resolved" | "created">): Share => ({
  part: resolved,
  n: created,
});
