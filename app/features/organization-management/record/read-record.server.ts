import { readOrganizationHistory } from "~/features/audit/activity/definition.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { invitationStates } from "~/features/invitations/queries.server";
import { listedNote, listNotes } from "~/features/notes/queries.server";
import { getSettings } from "~/features/settings/queries.server";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { findOwner, findRecord, listFirstMembers, pendingOwner } from "./queries.server";

/** Limits the notes of one page. */
const NOTES = 20;

/** Reads from an address before which instant notes are shown; null: the latest. */
function notesBefore(params: URLSearchParams): Instant | null {
  const until = params.get("until") ?? "";
  return /^\d{1,15}$/.test(until) ? Number(until) : null;
}

/** Reads everything the page of an organization shows, in one round trip. Null when there is none of that id. */
export async function readOrganizationRecord(
  ctx: Pick<Ctx, "db" | "now" | "subjects">,
  actor: StaffActor,
  { id, params }: { id: string; params: URLSearchParams },
) {
  const { db } = ctx;
  const before = notesBefore(params);
  const [organization, owner, invitations, members, notes, history, { timeZone: zone }] = await Promise.all([
    findRecord(db, id),
    findOwner(db, id),
    invitationStates(db, { membership: pendingOwner(id) }, ctx.now()),
    listFirstMembers(db, id),
    listNotes(db, { type: "organization", id }, { limit: NOTES + 1, before }),
    readOrganizationHistory(ctx, actor, id),
    getSettings(db),
  ]);
  if (!organization) return null;
  const shown = notes.slice(0, NOTES);
  return {
    organization,
    owner: owner && { ...owner, invitation: invitations.get(owner.id) ?? null },
    members: owner ? [owner, ...members.filter((member) => member.id !== owner.id)] : members,
    notes: {
      shown: shown.map((note) => listedNote(actor, note)),
      /** Holds the instant of the oldest note of the page, before which there are others. */
      earlier: notes.length > NOTES ? (shown.at(-1)?.createdAt ?? null) : null,
      isEarlier: before !== null,
    },
    history,
    zone,
  };
}
