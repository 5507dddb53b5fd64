import type { ReactNode } from "react";
import { WITHOUT_FACTOR_PATH } from "~/features/organization-settings/model";
import { AllowanceYears, ShareBar } from "~/features/tickets/allowances/allowance-years";
import { solvedRate, type VisibleCounts } from "~/features/tickets/client-list/definition";
import { TicketSummary } from "~/features/tickets/client-list/ticket-cards";
import type { TicketStatus } from "~/features/tickets/model";
import { CLIENT_TICKETS_PATH, clientTicketPath, NEW_TICKET_PATH } from "~/features/tickets/paths";
import { withParams } from "~/lib/addresses";
import { plural } from "~/lib/text";
import { shortDay } from "~/lib/time-labels";
import { Avatar } from "~/ui/avatar";
import { LinkButton } from "~/ui/button";
import { Link } from "~/ui/link";
import { Page, Sheet, SheetRows } from "~/ui/page";
import { StatCards } from "~/ui/stat-cards";
import { EmailText } from "~/ui/text";
import type { PortalDashboard } from "../model";
import { ContactLinks } from "./no-organization";

export function OrganizationDashboard(props: PortalDashboard) {
  const { organization, links, plan, allowances, team, awaited, recent } = props;
  const { counts } = recent;
  return (
    <Page
      title={`Welcome back to ${organization.name}`}
      description={
        <>
          {owedLabel(awaited)} {waitingLabel(counts?.waiting_for_customer ?? 0)}
        </>
      }
      actions={<LinkButton to={NEW_TICKET_PATH}>New Ticket</LinkButton>}
    >
      {counts?.all === 0 ? null : <AwaitedTickets {...awaited} waiting={counts?.waiting_for_customer ?? 0} />}
      <StatCards
        label="Tickets by status"
        items={[
          { label: "Total", value: counts?.all ?? null, to: CLIENT_TICKETS_PATH },
          { label: "Open", value: counts?.open ?? null, tone: "open", to: ticketsOf("open") },
          {
            label: "In Progress",
            value: counts?.in_progress ?? null,
            tone: "progress",
            to: ticketsOf("in_progress"),
          },
          {
            label: "Waiting",
            value: counts?.waiting_for_customer ?? null,
            tone: "waiting",
            to: ticketsOf("waiting_for_customer"),
          },
          { label: "Resolved", value: counts?.resolved ?? null, tone: "resolved", to: ticketsOf("resolved") },
          { label: "Closed", value: counts?.closed ?? null, tone: "closed", to: ticketsOf("closed") },
        ]}
      />
      <div className="grid @min-[58rem]:grid-cols-[minmax(0,1fr)_20rem] grid-cols-[minmax(0,1fr)] items-start gap-5">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5">
          <Recent {...recent} />
          {team ? <Team {...team} count={organization.members} links={links} /> : null}
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
          <Sheet id="organization" title="Organization" isMain>
            <div className="grid gap-2 px-4 pb-4">
              <p className="wrap-anywhere">
                <b>{organization.name}</b>
                <br />
                <span className="text-ink-2">
                  {organization.description ? `${organization.description} ` : null}
                  {plural(organization.members, "active member")}.
                </span>
              </p>
              <CardLinks links={links} />
            </div>
          </Sheet>
          <SolvedRate counts={counts} />
          <Plan plan={plan} allowances={allowances} zone={recent.zone} />
        </div>
      </div>
    </Page>
  );
}

const owedCount = ({ owed, isMoreOwed }: PortalDashboard["awaited"]): string =>
  isMoreOwed ? `more than ${owed.length} answers` : plural(owed.length, "answer");

function owedLabel(awaited: PortalDashboard["awaited"]): ReactNode {
  if (awaited.owed.length === 0) return "We owe you nothing right now.";
  const late = awaited.owed.filter(({ due }) => due?.isLate).length;
  return (
    <>
      <a href="#owed-title">We owe you {owedCount(awaited)}</a>
      {late > 0 ? <b className="text-danger">, {late === 1 ? "one is" : `${late} are`} late</b> : null}.
    </>
  );
}

function AwaitedTickets({ waiting, ...awaited }: PortalDashboard["awaited"] & { waiting: number }) {
  const { owed, asked } = awaited;
  if (owed.length + asked.length === 0) return null;
  return (
    <div className="grid @min-[58rem]:grid-cols-2 grid-cols-[minmax(0,1fr)] items-start gap-5">
      {asked.length > 0 ? (
        <Sheet
          id="asked"
          title={`${plural(Math.max(waiting, asked.length), "ticket waits", "tickets wait")} for you`}
          isMain
          aside={waiting > asked.length ? <Link to={ticketsOf("waiting_for_customer")}>See all</Link> : null}
        >
          <SheetRows>
            {asked.map((ticket) => (
              <AwaitedRow key={ticket.id} {...ticket} />
            ))}
          </SheetRows>
        </Sheet>
      ) : null}
      {owed.length > 0 ? (
        <Sheet id="owed" title={`We owe you ${owedCount(awaited)}`} isMain>
          <SheetRows>
            {owed.map((ticket) => (
              <AwaitedRow key={ticket.id} {...ticket} />
            ))}
          </SheetRows>
        </Sheet>
      ) : null}
    </div>
  );
}

function AwaitedRow({ number, title, due, words }: PortalDashboard["awaited"]["owed"][number]) {
  return (
    <li className="wrap-anywhere">
      <Link className="font-semibold" to={clientTicketPath(number)}>
        {title}
      </Link>
      {due ? (
        <p className={due.isLate ? "font-semibold text-danger" : "font-semibold"}>
          {due.isLate ? "Promise missed. " : null}
          {[due.by, due.left].filter(Boolean).join(", ")}
        </p>
      ) : null}
      <p className="max-w-none text-ink-2 text-sm">
        <span className="font-mono">{number}</span> {words}
      </p>
    </li>
  );
}

function waitingLabel(waiting: number): ReactNode {
  if (waiting === 0) return "Nothing is waiting for you.";
  return (
    <Link to={ticketsOf("waiting_for_customer")}>{plural(waiting, "ticket is", "tickets are")} waiting for you.</Link>
  );
}

const ticketsOf = (tab: TicketStatus): string => withParams(CLIENT_TICKETS_PATH, { tab });

function Recent({ tickets, counts, zone }: PortalDashboard["recent"]) {
  return (
    <Sheet
      id="tickets"
      title="Recent tickets"
      isMain
      aside={
        tickets.length > 0 ? (
          <Link to={CLIENT_TICKETS_PATH}>{counts ? `All ${plural(counts.all, "ticket")}` : "All tickets"}</Link>
        ) : null
      }
    >
      {tickets.length > 0 ? (
        <SheetRows>
          {tickets.map((ticket) => (
            <li key={ticket.id} className="grid grid-cols-[minmax(0,1fr)] gap-1">
              <TicketSummary ticket={ticket} zone={zone} />
            </li>
          ))}
        </SheetRows>
      ) : (
        <div className="grid gap-2 border-line border-t px-4 py-5">
          <p>No tickets yet. When something breaks, or you need something set up, start here:</p>
          <p>
            <Link to={NEW_TICKET_PATH}>New Ticket</Link>
          </p>
          <ContactLinks />
        </div>
      )}
    </Sheet>
  );
}

function SolvedRate({ counts }: Pick<PortalDashboard["recent"], "counts">) {
  const rate = counts && solvedRate(counts);
  return (
    <Sheet id="resolution" title="Resolution Rate" aside={<b>{rate === null ? "—" : `${rate}%`}</b>}>
      <div className="grid gap-2 px-4 pb-4 text-ink-2">
        {rate === null ? null : <ShareBar max={100} value={rate} />}
        <p>
          {counts === null
            ? "There are too many tickets to count here."
            : counts.all === 0
              ? "No tickets yet"
              : solvedLabel(counts)}
        </p>
      </div>
    </Sheet>
  );
}

/** Says what the share is made of: "16 of 23 tickets solved: 6 resolved, 10 closed after that". */
function solvedLabel({ all, resolved, solved }: VisibleCounts): string {
  const closed = solved - resolved;
  const parts = [`${resolved} resolved`, closed > 0 ? `${closed} closed after that` : ""].filter(Boolean);
  return `${solved} of ${plural(all, "ticket")} solved${solved > 0 ? `: ${parts.join(", ")}` : ""}`;
}

type Links = PortalDashboard["links"];

function CardLinks({ links }: { links: Links }) {
  if (links.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm max-md:[&_a]:py-2">
      {links.map(({ label, path }) => (
        <Link key={path} to={path}>
          {label}
        </Link>
      ))}
    </p>
  );
}

type TeamProps = NonNullable<PortalDashboard["team"]> & { count: number; links: Links };

function Team({ members, withFactor, listsOthers, count, links }: TeamProps) {
  const [manage] = links;
  const size = plural(count, "active member");
  return (
    <Sheet
      id="team"
      title="Team"
      aside={manage ? <Link to={manage.path}>{size}</Link> : <span className="text-ink-2">{size}</span>}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 pb-4">
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(14rem,100%),1fr))] gap-x-6 gap-y-2">
          {members.map(({ name, note }) => (
            <li key={`${name} ${note}`} className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-2">
              <Avatar name={name} />
              <span className="wrap-anywhere">
                <EmailText email={name} />
                <br />
                <small className="text-ink-2 text-xs">{note}</small>
              </span>
            </li>
          ))}
        </ul>
        <p className="text-ink-2 text-sm">
          {withFactor} of {count} use two-step sign-in.{" "}
          {listsOthers && withFactor < count ? <Link to={WITHOUT_FACTOR_PATH}>See who does not</Link> : null}
        </p>
      </div>
    </Sheet>
  );
}

const NUMBER_HYPHEN = /(?<=\d)-/g;

function Plan({ plan, allowances, zone }: Pick<PortalDashboard, "plan" | "allowances"> & { zone: string }) {
  if (!plan) {
    return (
      <Sheet id="plan" title="Your plan">
        <p className="px-4 pb-4 text-ink-2">No plan agreed yet. Ask us which one fits.</p>
      </Sheet>
    );
  }
  const { name, features, startedOn } = plan;
  return (
    <Sheet
      id="plan"
      title={`Your plan: ${name}`}
      aside={
        startedOn ? (
          <span className="text-ink-2 text-sm">
            since {shortDay(startedOn)}, {startedOn.slice(0, 4)}
          </span>
        ) : null
      }
    >
      <ul className="grid gap-1 px-4 pb-4 text-ink-2 text-sm">
        {features.map((feature) => (
          <li key={feature}>{feature.replace(NUMBER_HYPHEN, "\u2011")}</li>
        ))}
      </ul>
      <AllowanceYears years={allowances} zone={zone} />
    </Sheet>
  );
}
