import { addAccounts } from "./demo-world/add-accounts.mjs";
import { addInvitations } from "./demo-world/add-invitations.mjs";
import { addLetters } from "./demo-world/add-letters.mjs";
import { addMissingPaths } from "./demo-world/add-missing-paths.mjs";
import { addSecurity } from "./demo-world/add-security.mjs";
import { addSettings } from "./demo-world/add-settings.mjs";
import { addSubmissions } from "./demo-world/add-submissions.mjs";
import { addTickets } from "./demo-world/add-tickets.mjs";
import { openWorld } from "./demo-world/world.mjs";

/**
 * Fills an empty local database with the demo world: the same people, organizations, submissions and tickets each time,
 * dated back from `now`. One transaction: a run that is interrupted leaves the database empty. `secrets` are the
 * worker's own, as stored passwords and sealed values must open there.
 */
export function seedDemoWorld(database, secrets, now = Date.now()) {
  console.log("Loading the demo world …");
  const world = openWorld(database, secrets, now);
  database.exec("begin immediate");
  addSettings(world);
  const people = addAccounts(world);
  addSubmissions(world, people);
  addTickets(world, people);
  addLetters(world, people);
  addMissingPaths(world);
  addInvitations(world, people);
  addSecurity(world, people);
  world.writeHistory();
  database.exec("commit");
}
