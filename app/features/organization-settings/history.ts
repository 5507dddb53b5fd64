import { actionLabel, detailsText } from "~/features/audit/activity/activity-entry";
import { FORMER_MEMBER } from "~/lib/person-name";
import type { HistoryLine } from "./model";
import type { StoredHistory } from "./queries.server";

/**
 * Turns a stored event into a line of the organization's history. Colleagues are named; of the provider's staff members
 * read the first name and the company. Of who was erased, nothing is.
 */
export function historyLine(row: StoredHistory, company: string): HistoryLine {
  const { id, at, actor_name, is_former } = row;
  const [first] = is_former ? [] : (actor_name?.split(" ") ?? []);
  const staff = first ? `${first} (${company})` : company;
  const actor = row.is_staff === 1 ? staff : is_former ? FORMER_MEMBER : (actor_name ?? "A visitor");
  return { id, at, sentence: `${actor} ${actionLabel(row)}`, details: detailsText(row) };
}
