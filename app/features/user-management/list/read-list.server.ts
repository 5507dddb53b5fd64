import type { ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import type { Ctx } from "~/platform/context.server";
import type { ListedUser, UserCounts } from "../model";
import { countInvited, countUsers } from "../queries.server";
import type { UserFilter } from "./definition";
import { userRows } from "./definition.server";

export type UserListRead = ListRead<ListedUser> & { counts: UserCounts; invited: { count: number; isMore: boolean } };

/** Fetches everything the list page shows, in one round trip. */
export async function readUserList({ db }: Pick<Ctx, "db">, request: ListRequest<UserFilter>): Promise<UserListRead> {
  const [counts, invited, read] = await Promise.all([countUsers(db), countInvited(db), userRows.read(db, request)]);
  return { ...read, counts, invited };
}
