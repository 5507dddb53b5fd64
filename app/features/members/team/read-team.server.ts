import type { ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import type { Ctx } from "~/platform/context.server";
import { countTeam, type TeamCounts } from "../member-rows.server";
import type { ListedMember } from "../model";
import type { TeamFilter } from "./definition";
import { teamRows } from "./definition.server";

export type TeamRead = ListRead<ListedMember> & { counts: TeamCounts };

/** Reads everything the team page shows, in one round trip. */
export async function readTeam(
  { db }: Pick<Ctx, "db">,
  organizationId: string,
  request: ListRequest<TeamFilter>,
): Promise<TeamRead> {
  const [counts, read] = await Promise.all([countTeam(db, organizationId), teamRows.read(db, request)]);
  return { ...read, counts };
}
