import { ORGANIZATION_ROLE_LABELS } from "~/features/invitations/model";
import { choiceField, defineList, type FilterOf, idField, searchField } from "~/lists/define-list";
import { MEMBER_STATUS_LABELS } from "./labels";
import { MEMBER_ROLES, MEMBERSHIP_STATUSES } from "./model";

export const MEMBERS_PATH = "/admin/members";

export const removalPath = (membershipId: string, query: string): string =>
  `${MEMBERS_PATH}/${membershipId}/remove${query && `?${query}`}`;

/** Stands in for the name of the organization that a list is limited to, which the page reads. */
export const MEMBERS_OF_ONE = "One organization";

export const memberList = defineList({
  name: "members",
  ability: "member.list",
  path: MEMBERS_PATH,
  csvPath: "/admin/exports/members.csv",
  noun: { one: "member", many: "members" },
  fields: {
    q: searchField(),
    organization: idField("org"),
    role: choiceField(MEMBER_ROLES),
    status: choiceField(MEMBERSHIP_STATUSES),
  },
  // By when somebody was added: an invited person has not joined yet.
  orders: { joined: { ascending: "oldest", descending: "newest", isTime: true } },
  defaultSort: "newest",
  sortLabels: { newest: "Added last", oldest: "Added first" },
  describe: ({ q, organization, role, status }) => [
    { label: q ? `“${q}”` : null, fields: ["q"] },
    { label: organization && MEMBERS_OF_ONE, fields: ["organization"] },
    { label: role && ORGANIZATION_ROLE_LABELS[role], fields: ["role"] },
    { label: status && MEMBER_STATUS_LABELS[status], fields: ["status"] },
  ],
});

export type MemberFilter = FilterOf<typeof memberList>;

export const TEAM_PATH = "/client/team";
export const INVITE_PATH = `${TEAM_PATH}/invite`;

export const teamRemovalPath = (membershipId: string): string => `${TEAM_PATH}/${membershipId}/remove`;

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
    { label: role && ORGANIZATION_ROLE_LABELS[role], fields: ["role"] },
    { label: status && MEMBER_STATUS_LABELS[status], fields: ["status"] },
  ],
});

export type TeamFilter = FilterOf<typeof teamList>;
