import { PLATFORM_ROLES } from "~/access/model";
import { ACTIVITY_TYPES } from "~/features/audit/model";
import { MEMBER_ROLES, MEMBERSHIP_STATUSES } from "~/features/members/model";
import { FACTOR_STATES, SIDES } from "~/features/security/people/definition";
import { LIST_VIEWS, OWNER_FILTERS, SUBMISSION_STATUSES } from "~/features/submissions/model";
import { USER_VIEWS } from "~/features/user-management/model";
import type { RowPage } from "~/lists/model";
import type { Ctx } from "~/platform/context.server";
import { loader as activity } from "~/routes/_admin.admin.activity";
import { loader as letters } from "~/routes/_admin.admin.letters._index";
import { loader as members } from "~/routes/_admin.admin.members._index";
import { loader as organizations } from "~/routes/_admin.admin.organizations._index";
import { loader as mfaEvents } from "~/routes/_admin.admin.security.events";
import { loader as factors } from "~/routes/_admin.admin.security.mfa";
import { loader as submissions } from "~/routes/_admin.admin.submissions._index";
import { loader as tickets } from "~/routes/_admin.admin.tickets._index";
import { loader as users } from "~/routes/_admin.admin.users._index";
import {
  fillActivity,
  fillLetters,
  fillMembers,
  fillOrganizations,
  fillSubmissions,
  fillTickets,
  fillUsers,
} from "./filled-lists";
import { fillFactors, fillMfaEvents } from "./filled-security";
import { args, get } from "./requests";

/** Describes how a list is measured. */
export type Measured = {
  path: string;
  loader:
    | typeof submissions
    | typeof activity
    | typeof users
    | typeof organizations
    | typeof members
    | typeof tickets
    | typeof mfaEvents
    | typeof factors
    | typeof letters;
  fill: (ctx: Ctx, userId: string, range: [number, number]) => Promise<unknown>;
  /** Limits the rows of a page of 25, with its frame and the identity. */
  rows: number;
  /** Holds the values of each parameter of the address that filters the list. */
  values: Record<string, readonly string[]>;
  /** Lists further addresses, where another order has indexes of its own. */
  more?: readonly string[];
};

/** Holds every list of the admin area, by the name of its file. */
export const LISTS: Record<string, Measured> = {
  "submissions.csv": {
    path: "/admin/submissions",
    loader: submissions,
    fill: fillSubmissions,
    rows: 400,
    values: {
      view: LIST_VIEWS,
      status: SUBMISSION_STATUSES,
      owner: OWNER_FILTERS,
      filter: ["recent"],
      from: ["2026-10-30", "2026-10-30&to=2026-11-10"],
      to: ["2026-11-16"],
    },
  },
  "activity.csv": {
    path: "/admin/activity",
    loader: activity,
    fill: fillActivity,
    rows: 400,
    values: { type: ACTIVITY_TYPES },
  },
  "users.csv": {
    path: "/admin/users",
    loader: users,
    fill: fillUsers,
    rows: 360,
    values: { view: USER_VIEWS, role: PLATFORM_ROLES },
  },
  "organizations.csv": {
    path: "/admin/organizations",
    loader: organizations,
    fill: fillOrganizations,
    rows: 360,
    values: { view: ["review"] },
  },
  "tickets.csv": {
    path: "/admin/tickets",
    loader: tickets,
    fill: fillTickets,
    // With the three counts of its tabs, each up to 26 rows.
    rows: 400,
    values: {
      organization: ["org_scale_0"],
      status: ["active", "closed"],
      priority: ["urgent"],
      assignee: ["me"],
      due: ["late"],
      from: ["2026-10-20"],
      to: ["2026-11-10"],
    },
    more: ["organization=org_scale_0", "status=waiting_for_customer", "priority=urgent", "assignee=none"].map(
      (filter) => `${filter}&sort=due`,
    ),
  },
  "members.csv": {
    path: "/admin/members",
    loader: members,
    fill: fillMembers,
    rows: 360,
    values: { organization: ["org_scale_0", "org_scale_4"], role: MEMBER_ROLES, status: MEMBERSHIP_STATUSES },
  },
  "mfa-events.csv": {
    path: "/admin/security/events",
    loader: mfaEvents,
    fill: fillMfaEvents,
    rows: 400,
    values: {
      action: ["verify_challenge"],
      method: ["backup_code"],
      result: ["success", "failed"],
      from: ["2026-11-10"],
      to: ["2026-11-16"],
    },
  },
  "mfa-people.csv": {
    path: "/admin/security/mfa",
    loader: factors,
    fill: fillFactors,
    rows: 400,
    values: { side: SIDES, factor: FACTOR_STATES },
  },
  "letters.csv": {
    path: "/admin/letters",
    loader: letters,
    fill: fillLetters,
    rows: 300,
    values: { status: ["released"] },
  },
};

/** Returns the page of rows at an address of a list. */
export async function openList({ loader }: Measured, ctx: Ctx, path: string): Promise<RowPage<unknown>> {
  const { list } = await (await loader(args(ctx, get(path), {}))).json();
  if (!list) throw new Error(`${path} could not be read`);
  return list.page;
}
