import type { Actor } from "~/access/model";
import { can } from "~/access/policy";

/** Returns what an actor may do with the submissions of the list. */
export const listPermissions = (actor: Actor) => ({
  changeStatus: can(actor, "submission.change_status"),
  release: can(actor, "submission.release_held"),
  delete: can(actor, "submission.delete"),
  export: can(actor, "submission.export"),
});
