import type { MemberActor } from "~/features/auth/guards.server";
import type { ListRead } from "~/lists/model";
import type { PageRequest } from "~/lists/paging.server";
import type { Ctx } from "~/platform/context.server";
import { countTeam, type TeamCounts } from "../member-rows.server";
import type { ListedMember } from "../model";
import type { TeamFilter } from "./definition";
import { teamRows } from "./definition.server";

export type TeamRead = ListRead<ListedMember> & { counts: TeamCounts };

/** Reads everything the team page shows, in one round trip. */
export async function readTeam(
  { db, now }: Pick<Ctx, "db" | "now">,
  actor: MemberActor,
  { filter, page, zone }: { filter: TeamFilter; page: PageRequest; zone: string },
): Promise<TeamRead> {
  const [counts, read] = await Promise.all([
    countTeam(db, actor.membership.organizationId),
    teamRows.read(db, { filter, page, viewer: { actor, zone, now: now() } }),
  ]);
  return { ...read, counts };
}
