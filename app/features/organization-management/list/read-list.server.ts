import type { Actor } from "~/access/model";
import { readInSiteZone } from "~/features/settings/queries.server";
import type { PageRequest } from "~/lists/paging.server";
import type { Ctx } from "~/platform/context.server";
import type { OrganizationListRead } from "../model";
import { countOrganizations } from "../queries.server";
import type { OrganizationFilter } from "./definition";
import { organizationRows } from "./definition.server";

/** Reads everything the list of organizations shows, in one round trip. */
export async function readOrganizationList(
  { db, now }: Pick<Ctx, "db" | "now">,
  actor: Actor,
  { filter, page }: { filter: OrganizationFilter; page: PageRequest },
): Promise<OrganizationListRead> {
  const at = now();
  const [figures, { value: read }] = await Promise.all([
    countOrganizations(db),
    readInSiteZone(db, (zone) => organizationRows.read(db, { filter, page, viewer: { actor, zone, now: at } })),
  ]);
  return { ...read, figures };
}
