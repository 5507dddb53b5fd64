import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/sheet";
import { Tag } from "~/ui/status-pill";
import { Time } from "~/ui/time";
import { MEMBER_ROLE_LABELS, MEMBER_STATUS_LABELS } from "../../copy";
import { type ListedMember, waitsForReview } from "../../model";

type OrganizationMembersProps = {
  members: readonly ListedMember[];
  /** Counts all members, invited and suspended ones included. */
  total: number;
  /** Holds the address of the list of all members. */
  allTo: string;
  zone: string;
};

/** Lists the first members of an organization, with the way to all of them. */
export function OrganizationMembers({ members, total, allTo, zone }: OrganizationMembersProps) {
  const all = total > members.length ? `All ${total.toLocaleString("en-US")} members` : "Manage members";
  return (
    <Sheet id="members" title="Members" aside={<Link to={allTo}>{all}</Link>}>
      {members.length > 0 ? (
        <SheetRows>
          {members.map(({ id, name, email, role, status, joinedAt }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="wrap-anywhere min-w-0 flex-[1_1_14rem]">
                <b>{name ?? email}</b>
                {name ? <span className="block text-ink-2 text-sm">{email}</span> : null}
              </span>
              <Tag>{MEMBER_ROLE_LABELS[role]}</Tag>
              <span className="w-20 text-ink-2 text-sm">
                {waitsForReview({ status, name }) ? "Waits" : MEMBER_STATUS_LABELS[status]}
              </span>
              <span className="w-24 text-ink-3 text-sm">
                {joinedAt === null ? "—" : <Time at={joinedAt} zone={zone} mode="date" />}
              </span>
            </li>
          ))}
        </SheetRows>
      ) : (
        <p className="max-w-none border-line border-t px-4 py-3 text-ink-2">No members found</p>
      )}
    </Sheet>
  );
}
