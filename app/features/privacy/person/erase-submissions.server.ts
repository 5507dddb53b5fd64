import { sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { contactSubmissions } from "~/db/schema/submissions";
import { eraseSubjects } from "~/features/subjects/erase-subjects.server";
import type { Ctx } from "~/platform/context.server";

/** Returns the statements that delete submissions with everything about them. `ids`: as JSON. */
export function eraseSubmissions({ db }: Pick<Ctx, "db">, ids: string): Statement[] {
  const among = sql`SELECT value FROM json_each(${ids})`;
  return [
    db.delete(contactSubmissions).where(sql`${contactSubmissions.id} IN (${among})`),
    ...eraseSubjects(db, "submission", among),
  ];
}
