import type { ListRequest } from "~/lists/define-rows.server";
import type { Ctx } from "~/platform/context.server";
import type { OrganizationListRead } from "../model";
import { countOrganizations } from "../queries.server";
import type { OrganizationFilter } from "./definition";
import { organizationRows } from "./definition.server";

/** Reads everything the list of organizations shows, in one round trip. */
export async function readOrganizationList(
  { db }: Pick<Ctx, "db">,
  request: ListRequest<OrganizationFilter>,
): Promise<OrganizationListRead> {
  const [figures, read] = await Promise.all([countOrganizations(db), organizationRows.read(db, request)]);
  return { ...read, figures };
}
