import type { ReactNode } from "react";
import { PLAN_LABELS } from "~/features/organizations/model";
import { plural } from "~/lib/text";
import { FactList } from "~/ui/fact-list";
import { Panel } from "~/ui/panel";
import { Time } from "~/ui/time";
import type { OrganizationRecord } from "../../model";

type OrganizationRailProps = {
  organization: OrganizationRecord;
  /** Names who owns it, or who is going to. */
  owner: ReactNode;
  zone: string;
};

const VISIBILITY = { all: "All tickets of the organization", own: "Only their own tickets" };

/** Shows beside the page who owns the organization, its contract, and the rules for its members. */
export function OrganizationRail({ organization, owner, zone }: OrganizationRailProps) {
  const { slug, plan, contractStartedAt, createdAt, visibility, activeMembers, tickets, activeTickets } = organization;
  const dateOf = (at: number | null) => (at === null ? null : <Time at={at} zone={zone} mode="date" />);
  const active = activeTickets.toLocaleString("en-US");
  return (
    <aside className="grid gap-4" aria-label="About this organization">
      <Panel id="owner" title="Owner">
        {owner}
      </Panel>
      <Panel id="contract" title="Contract">
        <FactList
          facts={[
            { term: "Plan", detail: PLAN_LABELS[plan] },
            { term: "Since", detail: dateOf(contractStartedAt) },
            { term: "Created", detail: dateOf(createdAt) },
            { term: "Slug", detail: slug },
            { term: "Members", detail: activeMembers.toLocaleString("en-US") },
            { term: "Tickets", detail: `${tickets.toLocaleString("en-US")}, ${active} active` },
          ]}
        />
      </Panel>
      <Panel id="rules" title="Rules for members">
        <FactList
          facts={[
            { term: "Two-step sign-in", detail: <MfaRule organization={organization} zone={zone} /> },
            { term: "They see", detail: VISIBILITY[visibility] },
          ]}
        />
      </Panel>
    </aside>
  );
}

function MfaRule({ organization, zone }: { organization: OrganizationRecord; zone: string }) {
  const { mfaRequiredAt, membersWithoutMfa, activeMembers } = organization;
  const complete = activeMembers === 0 ? "No active members" : "Everyone has it";
  const lacking = membersWithoutMfa === 0 ? complete : `${plural(membersWithoutMfa, "member")} without it`;
  return (
    <>
      {mfaRequiredAt === null ? (
        "Not required"
      ) : (
        <>
          Required since <Time at={mfaRequiredAt} zone={zone} mode="date" />
        </>
      )}
      <span className="block text-ink-3 text-xs">{lacking}</span>
    </>
  );
}
