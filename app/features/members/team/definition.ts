import { defineList, type FilterOf } from "~/lists/define-list";
import { choiceField, searchField } from "~/lists/fields";
import { ROLE_LABELS, STATUS_LABELS } from "../copy";
import { MEMBER_ROLES, MEMBERSHIP_STATUSES } from "../model";

export const TEAM_PATH = "/client/team";
export const INVITE_PATH = `${TEAM_PATH}/invite`;

/** Returns the address of the page that asks before a colleague is removed. */
export const teamRemovalPath = (membershipId: string): string => `${TEAM_PATH}/${membershipId}/remove`;

/**
 * Defines the list of the members of one organization, the part that browser and server share. Table, indexes and
 * search are in `definition.server.ts`.
 */
export const teamList = defineList({
  name: "members",
  ability: "member.list",
  path: TEAM_PATH,
  csvPath: "/client/exports/members.csv",
  noun: { one: "member", many: "members" },
  fields: { q: searchField(), role: choiceField(MEMBER_ROLES), status: choiceField(MEMBERSHIP_STATUSES) },
  // By when somebody was added: an invited person has not joined yet.
  orders: { joined: { ascending: "oldest", descending: "newest", isTime: true } },
  defaultSort: "oldest",
  sortLabels: { newest: "Added last", oldest: "Added first" },
  describe: ({ q, role, status }) => [
    { label: q ? `“${q}”` : null, fields: ["q"] },
    { label: role && ROLE_LABELS[role], fields: ["role"] },
    { label: status && STATUS_LABELS[status], fields: ["status"] },
  ],
});

export type TeamFilter = FilterOf<typeof teamList>;
