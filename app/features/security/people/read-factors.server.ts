import { getSettings } from "~/features/settings/queries.server";
import type { ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import type { Ctx } from "~/platform/context.server";
import type { Coverage, FactorRow } from "../model";
import { readCoverage } from "../queries.server";
import type { FactorFilter } from "./definition";
import { factorRows } from "./definition.server";

/** Reads everything the page of second factors shows, in one round trip. */
export async function readFactors(
  { db }: Pick<Ctx, "db">,
  request: ListRequest<FactorFilter>,
): Promise<ListRead<FactorRow> & { coverage: Coverage; isOfClients: boolean }> {
  const [coverage, read, { mfaOfClientsSince }] = await Promise.all([
    readCoverage(db),
    factorRows.read(db, request),
    getSettings(db),
  ]);
  return { ...read, coverage, isOfClients: mfaOfClientsSince !== null };
}
