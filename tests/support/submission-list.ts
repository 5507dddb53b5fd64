import type { Actor } from "~/access/model";
import type { Db } from "~/db/client.server";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { submissionList } from "~/features/submissions/list/definition";
import { type ReadSubmission, submissionRows } from "~/features/submissions/list/definition.server";
import type { ListViewer } from "~/lists/criteria";
import type { ListRead } from "~/lists/model";
import { pageRequest } from "~/lists/paging.server";
import type { SelectedRow } from "~/lists/selection.server";
import { WEDNESDAY } from "./context";

/** Stands for a technician who has no account: enough to look at a list. */
const STAFF: Actor = { userId: "usr_nobody", role: "moderator", membership: null };
export const STAFF_VIEWER: ListViewer = { actor: STAFF, zone: DEFAULT_SETTINGS.timeZone, now: WEDNESDAY };

/** Reads the list of submissions at an address, as staff see it. */
export function readSubmissions(db: Db, query = "", viewer = STAFF_VIEWER): Promise<ListRead<ReadSubmission>> {
  const params = new URLSearchParams(query);
  return submissionRows.read(db, { filter: submissionList.readFilter(params), page: pageRequest(params), viewer });
}

/** Reads the rows of a page of the list. */
export const listSubmissions = async (db: Db, query?: string): Promise<readonly ReadSubmission[]> =>
  (await readSubmissions(db, query)).page.rows;

/** Selects submissions by their checkboxes, as staff do. */
export const selectSubmissions = (rows: readonly SelectedRow[]) =>
  submissionRows.selectPosted(
    rows.map(({ id, version }) => `${id}.${version}`),
    STAFF,
  );
