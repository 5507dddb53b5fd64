import type { Actor } from "~/access/model";
import { readInSiteZone } from "~/features/settings/queries.server";
import type { ListRead } from "~/lists/model";
import type { PageRequest } from "~/lists/paging.server";
import type { Ctx } from "~/platform/context.server";
import type { ListedUser, UserCounts } from "../model";
import { countInvited, countUsers } from "../queries.server";
import type { UserFilter } from "./definition";
import { userRows } from "./definition.server";

export type UserListRead = ListRead<ListedUser> & { counts: UserCounts; invited: { count: number; isMore: boolean } };

/** Fetches everything the list page shows, in one round trip. */
export async function readUserList(
  { db, now }: Pick<Ctx, "db" | "now">,
  actor: Actor,
  { filter, page }: { filter: UserFilter; page: PageRequest },
): Promise<UserListRead> {
  const at = now();
  const [counts, invited, { value }] = await Promise.all([
    countUsers(db),
    countInvited(db),
    readInSiteZone(db, (zone) => userRows.read(db, { filter, page, viewer: { actor, zone, now: at } })),
  ]);
  return { ...value, counts, invited };
}
